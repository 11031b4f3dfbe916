package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.LossReason;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hints of a store that a lease was revoked by another process. The next renewal is minutes away. */
class RevocationHintTests {

    private static final Duration TTL = Duration.ofMinutes(10);

    private final VirtualTime time = new VirtualTime();

    private final LockBackend shared = new MemoryLockBackend(time::nanos, InstantSource.system());

    private final HintingStore store = new HintingStore(shared);

    private final LockEngine holding = time.engine(new LockListener() {});

    private final LockEngine operating = time.engine(new LockListener() {});

    private final LeaseLocker here = holding.locker(settings(), "memory", store);

    private final LeaseLocker there = operating.locker(settings(), "memory", shared);

    private final List<LossReason> losses = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        time.close(holding);
        time.close(operating);
    }

    @Test
    void aHintEndsARevokedLockImmediately() {
        hold(LockRequest.of("a"));
        long lease = leaseOf("a");
        revokeFromThere();
        assertThat(losses).isEmpty();

        store.hint(lease);
        time.pass(Duration.ZERO);

        assertThat(losses).containsExactly(LossReason.REVOKED);
    }

    @Test
    void aHintWithoutARevocationRenewsTheLockOnce() {
        LockHandle held = hold(LockRequest.of("a"));
        LockHandle other = here.lock("b");

        store.hint(leaseOf("a"));
        time.pass(Duration.ofMinutes(1));

        assertThat(store.renewed)
                .singleElement()
                .satisfies(batch -> assertThat(batch)
                        .singleElement()
                        .extracting(RenewCommand::ttl)
                        .isEqualTo(TTL));
        assertThat(held.isHeld()).isTrue();
        assertThat(other.isHeld()).isTrue();
        assertThat(losses).isEmpty();
    }

    @Test
    void aHintForALockThatWasReleasedIsIgnored() {
        LockHandle held = hold(LockRequest.of("a"));
        long lease = leaseOf("a");
        held.release();
        here.lock("a");

        store.hint(lease);
        time.pass(Duration.ofMinutes(1));

        assertThat(store.renewed).isEmpty();
    }

    @Test
    void aHintFindsThePresentHolderAfterAHandOver() {
        LockHandle first = here.lock("a");
        CompletableFuture<LockHandle> second =
                EngineInVirtualTime.onAThread(() -> hold(LockRequest.of("a").withWaitTime(Duration.ofMinutes(1))));
        await().until(() -> !here.status().waiters().isEmpty());
        long lease = leaseOf("a");
        first.release();
        LockHandle present = second.join();
        assertThat(present.fencingToken()).isEqualTo(first.fencingToken() + 1);
        revokeFromThere();

        store.hint(lease);
        time.pass(Duration.ZERO);

        assertThat(losses).containsExactly(LossReason.REVOKED);
    }

    @Test
    void aFloodOfHintsRenewsALockOnceASecond() {
        hold(LockRequest.of("a"));
        long lease = leaseOf("a");
        for (int i = 0; i < 10_000; i++) {
            store.hint(lease);
            time.pass(Duration.ofMillis(1));
        }
        time.pass(Duration.ofMinutes(1));
        assertThat(store.renewed).hasSizeBetween(10, 11);
    }

    @Test
    void aHintThatFollowsAnotherWithinASecondIsFollowedAtItsEnd() {
        hold(LockRequest.of("a"));
        store.hint(leaseOf("a"));
        time.pass(Duration.ofMillis(100));
        revokeFromThere();
        store.hint(leaseOf("a"));
        // a check for another reason
        here.state().resources().watchdog().hurry();
        time.pass(Duration.ofMillis(800));
        assertThat(losses).isEmpty();

        time.pass(Duration.ofMillis(100));

        assertThat(losses).containsExactly(LossReason.REVOKED);
    }

    @Test
    void aFloodOfHintsForOtherLeasesIsForgotten() {
        hold(LockRequest.of("a"));
        long lease = leaseOf("a");
        for (int i = 1; i <= 10_000; i++) {
            store.hint(lease + i);
        }
        time.pass(Duration.ofSeconds(1));
        assertThat(store.renewed).isEmpty();
        store.hint(lease);
        time.pass(Duration.ofSeconds(1));
        assertThat(store.renewed).hasSize(1);
    }

    /** The store has answered the first renewal before the revocation. */
    @Test
    void aHintDuringARenewalIsFollowedByAnother() {
        hold(LockRequest.of("a"));
        CompletableFuture<List<RenewAnswer>> slow = new CompletableFuture<>();
        store.answer = slow;
        while (store.renewed.isEmpty()) {
            time.pass(Duration.ofMillis(100));
        }
        store.answer = null;
        revokeFromThere();

        store.hint(leaseOf("a"));
        time.pass(Duration.ZERO);

        assertThat(losses).containsExactly(LossReason.REVOKED);
        slow.complete(List.of(RenewAnswer.RENEWED));
        assertThat(here.status().holds()).isEmpty();
    }

    @Test
    void aHintEndsALockThatIsNotRenewedAutomatically() {
        hold(LockRequest.of("a").withAutoRenew(false));
        revokeFromThere();
        store.hint(leaseOf("a"));
        time.pass(Duration.ZERO);
        assertThat(losses).containsExactly(LossReason.REVOKED);
    }

    @Test
    void wrongHintsDoNotProlongALockThatIsNotRenewedAutomatically() {
        hold(LockRequest.of("a").withAutoRenew(false));
        long lease = leaseOf("a");
        for (int i = 0; i < 600; i++) {
            store.hint(lease);
            time.pass(Duration.ofSeconds(1));
        }
        assertThat(losses).containsExactly(LossReason.NOT_RENEWED);
    }

    @Test
    void aHintEndsALockThatWasRenewedForLonger() {
        hold(LockRequest.of("a")).renew(Duration.ofHours(5));
        revokeFromThere();
        store.hint(leaseOf("a"));
        time.pass(Duration.ZERO);
        assertThat(losses).containsExactly(LossReason.REVOKED);
    }

    @Test
    void aWrongHintDoesNotShortenALockThatWasRenewedForLonger() {
        LockHandle held = hold(LockRequest.of("a"));
        held.renew(Duration.ofHours(5));
        store.hint(leaseOf("a"));
        time.pass(Duration.ZERO);
        assertThat(store.renewed).hasSize(2);
        assertThat(held.remaining()).isGreaterThan(Duration.ofHours(4));
    }

    @Test
    void aBackendHasOneListenerForAllLockersOfAnEngine() {
        LeaseLocker another = holding.locker(VirtualTime.settings("another"), "memory", store);
        holding.close(another);
        assertThat(store.listeners).hasSize(2).allMatch(store.listeners.get(0)::equals);
    }

    /** A store of the application may outlive many engines, such as those of child contexts. It keeps their listeners. */
    @Test
    void aStoreDoesNotKeepTheLockersOfAnEngineThatWasClosed() {
        WeakReference<LockListener> closed = new WeakReference<>(closedEngine());
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            System.gc();
            return closed.get() == null;
        });
        store.listeners.forEach(listener -> listener.accept(7));
    }

    private LockListener closedEngine() {
        LockListener ofApplication = new LockListener() {};
        try (LockEngine engine = new LockEngine(ofApplication)) {
            engine.locker(settings(), "memory", store).lock("b");
        }
        return ofApplication;
    }

    private LockHandle hold(LockRequest request) {
        LockHandle handle = here.lock(request);
        handle.onLost(losses::add);
        return handle;
    }

    private long leaseOf(String key) {
        return here.queues().queueOf(key).heldLease().token().low();
    }

    private void revokeFromThere() {
        LockState.Held state =
                (LockState.Held) there.describe("a").toCompletableFuture().join();
        assertThat(there.forceRelease("a", state.fencingToken().orElseThrow(), "a test")
                        .toCompletableFuture()
                        .join()
                        .outcome())
                .isEqualTo(Outcome.REVOKED);
    }

    private static LockerSettings settings() {
        return VirtualTime.settings("deploy").withTtl(TTL).withForceRelease(true);
    }

    /** Sends the hints of a test, and records the renewals. */
    private static final class HintingStore extends DelegatingLockBackend {

        private final List<LongConsumer> listeners = new ArrayList<>();

        private final List<List<RenewCommand>> renewed = new CopyOnWriteArrayList<>();

        private CompletableFuture<List<RenewAnswer>> answer;

        HintingStore(LockBackend store) {
            super(store);
        }

        @Override
        public void onRevocation(LongConsumer listener) {
            listeners.add(listener);
        }

        void hint(long tokenLow) {
            listeners.get(0).accept(tokenLow);
        }

        @Override
        public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
            renewed.add(commands);
            return answer == null ? super.renew(commands) : answer;
        }
    }
}
