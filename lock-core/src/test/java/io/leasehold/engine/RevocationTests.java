package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.ForcedRelease;
import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.LossReason;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.testsupport.RecordedLog;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Forced releases by the process that holds the lock, and by another one on the same store. */
class RevocationTests {

    private static final Duration TTL = Duration.ofSeconds(30);

    private final VirtualTime time = new VirtualTime();

    private final LockBackend store = new MemoryLockBackend(time::nanos, InstantSource.system());

    private final List<ForcedRelease> reported = new CopyOnWriteArrayList<>();

    private final LockEngine holding = time.engine(new LockListener() {});

    private final LockEngine operating = time.engine(new LockListener() {
        @Override
        public void forceReleased(ForcedRelease release) {
            reported.add(release);
        }
    });

    private final LeaseLocker here = holding.locker(settings(), "memory", store);

    private final LeaseLocker there = operating.locker(settings(), "memory", store);

    private final List<LossReason> losses = new CopyOnWriteArrayList<>();

    private final RecordedLog log = new RecordedLog(Revocation.class);

    @AfterEach
    void close() {
        log.close();
        time.close(holding);
        time.close(operating);
    }

    @Test
    void theHolderOfAnotherProcessLosesTheLockAtItsNextRenewal() {
        LockHandle held = hold(here);
        long named = token(there);

        ForcedRelease release = force(there, named);

        assertThat(release.outcome()).isEqualTo(Outcome.REVOKED);
        assertThat(reported).containsExactly(release);
        assertThat(held.isHeld()).isTrue();
        time.pass(TTL.dividedBy(3).plusMillis(200));
        assertThat(losses).containsExactly(LossReason.REVOKED);
        assertThat(there.tryLock("a")).isEmpty();
        time.pass(TTL);
        assertThat(there.tryLock("a"))
                .hasValueSatisfying(next -> assertThat(next.fencingToken()).isGreaterThan(named));
    }

    @Test
    void aHolderThatStopsBecauseOfItFreesTheLock() {
        LockHandle held = hold(here);
        held.renew(Duration.ofHours(1));
        assertThat(force(here, held.fencingToken()).outcome()).isEqualTo(Outcome.REVOKED);
        assertThat(there.tryLock("a")).isEmpty();
        held.close();
        time.pass(Duration.ZERO);
        assertThat(there.tryLock("a")).isPresent();
    }

    @Test
    void theHolderOfThisProcessLosesTheLockImmediately() {
        LockHandle held = hold(here);

        assertThat(force(here, held.fencingToken()).outcome()).isEqualTo(Outcome.REVOKED);

        assertThat(losses).containsExactly(LossReason.REVOKED);
        assertThat(there.tryLock("a")).isEmpty();
        assertThat(force(here, held.fencingToken()).outcome()).isEqualTo(Outcome.REVOKED);
        assertThat(force(there, held.fencingToken()).outcome()).isEqualTo(Outcome.REVOKED);
        time.pass(TTL);
        assertThat(there.tryLock("a")).isPresent();
    }

    /** Lockers with the same namespace and store have the same locks. */
    @Test
    void theHolderFromAnotherLockerOfThisProcessLosesTheLockImmediatelyToo() {
        LeaseLocker other = holding.locker(settings("other").withNamespace("deploy"), "memory", store);
        LockHandle held = hold(here);

        assertThat(force(other, held.fencingToken()).outcome()).isEqualTo(Outcome.REVOKED);

        assertThat(losses).containsExactly(LossReason.REVOKED);
    }

    @Test
    void aLeaseThatWasHandedOverIsNamedByItsPresentHolder() {
        LeaseLocker other = holding.locker(settings("other").withNamespace("deploy"), "memory", store);
        LockHandle first = here.lock(LockRequest.of("a"));
        CompletableFuture<LockHandle> second = EngineInVirtualTime.onAThread(
                () -> here.lock(LockRequest.of("a").withWaitTime(Duration.ofMinutes(1))));
        waitUntil(() -> !here.status().waiters().isEmpty());
        first.release();
        LockHandle present = second.join();
        assertThat(present.fencingToken()).isEqualTo(first.fencingToken() + 1);
        present.onLost(losses::add);

        assertThat(token(other)).isEqualTo(token(here)).isEqualTo(present.fencingToken());
        assertThat(force(here, first.fencingToken()).outcome()).isEqualTo(Outcome.OTHER_HOLDER);
        assertThat(present.isHeld()).isTrue();
        assertThat(force(here, present.fencingToken()).outcome()).isEqualTo(Outcome.REVOKED);
        assertThat(losses).containsExactly(LossReason.REVOKED);
    }

    @Test
    void aLockThatWasTakenAlreadyIsNamedByTheTokensOfItsGrantOnly() {
        LockHandle held = hold(here);
        assertThat(force(here, held.fencingToken()).outcome()).isEqualTo(Outcome.REVOKED);

        assertThat(force(there, held.fencingToken() - 1_000_000).outcome()).isEqualTo(Outcome.OTHER_HOLDER);
        assertThat(force(there, held.fencingToken()).outcome()).isEqualTo(Outcome.REVOKED);
    }

    /** As {@code process 1} in two containers, after the store has lost the first lease. */
    @Test
    void anotherProcessWithTheSameNameIsAnotherHolder() {
        LockHandle first = hold(here);
        LockId id = LockId.of("deploy", "a");
        store.release(
                new ReleaseCommand(id, here.queues().queueOf("a").heldLease().token(), Duration.ZERO));
        LockHandle second = there.lock("a");

        assertThat(force(here, first.fencingToken()).outcome()).isEqualTo(Outcome.OTHER_HOLDER);
        assertThat(second.isHeld()).isTrue();
        time.pass(TTL);
        assertThat(second.isHeld()).isTrue();
    }

    /** The lease table has the name in ASCII, and a Redis without the right to names has none. */
    @Test
    void aLeaseIsRecognisedByItsTokenIfTheStoreHasAnotherName() {
        LeaseLocker renamed = holding.locker(settings(), "renamed", new Renaming(store));
        LockHandle first = renamed.lock(LockRequest.of("a"));
        CompletableFuture<LockHandle> second = EngineInVirtualTime.onAThread(
                () -> renamed.lock(LockRequest.of("a").withWaitTime(Duration.ofMinutes(1))));
        waitUntil(() -> !renamed.status().waiters().isEmpty());
        first.release();
        LockHandle present = second.join();
        present.onLost(losses::add);

        assertThat(token(renamed)).isEqualTo(present.fencingToken());
        assertThat(force(renamed, present.fencingToken()).outcome()).isEqualTo(Outcome.REVOKED);
        assertThat(losses).containsExactly(LossReason.REVOKED);
    }

    @Test
    void aLeaseIsNotHandedOverWhileItIsTakenFromItsHolder() {
        CompletableFuture<Void> sent = new CompletableFuture<>();
        LeaseLocker slow = holding.locker(settings(), "slow", new Slow(store, sent));
        LockHandle first = slow.lock(LockRequest.of("a"));
        CompletableFuture<LockHandle> second = EngineInVirtualTime.onAThread(
                () -> slow.lock(LockRequest.of("a").withWaitTime(Duration.ofMinutes(1))));
        waitUntil(() -> !slow.status().waiters().isEmpty());
        CompletableFuture<ForcedRelease> release =
                slow.forceRelease("a", first.fencingToken(), "a test").toCompletableFuture();
        first.release();
        LockHandle present = second.join();
        present.onLost(losses::add);
        sent.complete(null);

        assertThat(release.join().outcome()).isEqualTo(Outcome.OTHER_HOLDER);
        assertThat(present.isHeld()).isTrue();
        assertThat(losses).isEmpty();
    }

    /** Leases are handed over for two round trips, here for longer than the command timeout. */
    @Test
    void aLeaseThatIsPerhapsRevokedIsNotHandedOver() {
        Duration ttl = Duration.ofMillis(300);
        Distant distant = new Distant(store);
        LeaseLocker locker = holding.locker(settings().withTtl(ttl), "distant", distant);
        CompletableFuture<LockHandle> first = EngineInVirtualTime.onAThread(
                () -> locker.lock(LockRequest.of("a").withWaitTime(Duration.ofMinutes(1))));
        waitUntil(() -> distant.answers.size() == 1);
        time.pass(ttl.dividedBy(10));
        distant.answers.remove().run();
        LockHandle holder = first.join();
        CompletableFuture<LockHandle> second = EngineInVirtualTime.onAThread(
                () -> locker.lock(LockRequest.of("a").withWaitTime(Duration.ofMinutes(1))));
        waitUntil(() -> !locker.status().waiters().isEmpty());
        CompletableFuture<ForcedRelease> release =
                locker.forceRelease("a", holder.fencingToken(), "a test").toCompletableFuture();
        time.pass(ttl.dividedBy(6));
        assertThatThrownBy(release::join).hasCauseInstanceOf(LockBackendException.class);

        holder.release();
        waitUntil(() -> distant.answers.size() == 1);
        distant.answers.remove().run();

        assertThat(second)
                .succeedsWithin(Duration.ofSeconds(30))
                .satisfies(next -> assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken() + 1));
    }

    @Test
    void anotherHolderIsNotHit() {
        LockHandle first = hold(here);
        long former = token(there);
        first.release();
        LockHandle held = hold(here);

        assertThat(force(there, former).outcome()).isEqualTo(Outcome.OTHER_HOLDER);

        time.pass(TTL);
        assertThat(held.isHeld()).isTrue();
        assertThat(losses).isEmpty();
    }

    @Test
    void aFreeLockStaysFree() {
        assertThat(force(there, 1).outcome()).isEqualTo(Outcome.FREE);
        assertThat(there.tryLock("a")).isPresent();
    }

    @Test
    void theHolderMayReleaseARevokedLock() {
        LockHandle held = hold(here);
        force(there, token(there));

        held.release();

        assertThat(there.tryLock("a")).isPresent();
    }

    @Test
    void aLockerThatDoesNotPermitItChangesNothing() {
        LeaseLocker refusing = operating.locker(VirtualTime.settings("deploy"), "memory", store);
        LockHandle held = hold(here);

        assertThatThrownBy(() -> force(refusing, held.fencingToken()))
                .isInstanceOf(CompletionException.class)
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage(
                        "locker 'deploy' does not permit forced releases; set 'lock.force-release.enabled' to true");
        time.pass(TTL);
        assertThat(held.isHeld()).isTrue();
    }

    @Test
    void aStoreThatDoesNotAnswerLeavesTheOutcomeUnknown() {
        LockHandle held = hold(here);
        long named = token(there);
        LeaseLocker unanswered = operating.locker(settings(), "silent", new Silent(store));

        CompletableFuture<ForcedRelease> release =
                unanswered.forceRelease("a", named, "a test").toCompletableFuture();
        time.pass(TTL.dividedBy(6));

        assertThatThrownBy(release::join)
                .hasCauseInstanceOf(LockBackendException.class)
                .hasMessageContaining("whether the holder can still renew lock 'a' of locker 'deploy' is unknown");
        assertThat(held.isHeld()).isTrue();
        assertThat(log.messages())
                .singleElement()
                .asString()
                .startsWith("Forced release of lock 'a' of locker 'deploy' (fencing token " + named
                        + "), asked for by a test in ")
                .contains("whether the holder can still renew lock 'a' of locker 'deploy' is unknown");
    }

    @Test
    void aKeyCannotWriteALineOfItsOwnIntoTheLog() {
        there.forceRelease("a\nForced release of lock 'b'", 1, "a test")
                .toCompletableFuture()
                .join();
        assertThat(log.messages()).singleElement().asString().doesNotContain("\n");
    }

    private LockHandle hold(LeaseLocker locker) {
        LockHandle handle = locker.lock(LockRequest.of("a"));
        handle.onLost(losses::add);
        return handle;
    }

    private static long token(LeaseLocker locker) {
        LockState state = locker.describe("a").toCompletableFuture().join();
        return state instanceof LockState.Held held ? held.fencingToken().orElseThrow() : 1;
    }

    private static ForcedRelease force(LeaseLocker locker, long fencingToken) {
        return locker.forceRelease("a", fencingToken, "a test")
                .toCompletableFuture()
                .join();
    }

    private static LockerSettings settings() {
        return settings("deploy");
    }

    private static LockerSettings settings(String name) {
        return VirtualTime.settings(name).withTtl(TTL).withForceRelease(true);
    }

    private static void waitUntil(BooleanSupplier condition) {
        Awaitility.await().until(condition::getAsBoolean);
    }

    /** Reports holders under another name. */
    private static final class Renaming extends DelegatingLockBackend {

        Renaming(LockBackend store) {
            super(store);
        }

        @Override
        public CompletionStage<LockState> describe(LockId id) {
            return super.describe(id)
                    .thenApply(state -> state instanceof LockState.Held held
                            ? new LockState.Held(
                                    held.kind(),
                                    "gr??e",
                                    held.since(),
                                    held.remaining(),
                                    held.fencingToken(),
                                    held.waiting())
                            : state);
        }
    }

    /** Sends revocations when a future has completed. */
    private static final class Slow extends DelegatingLockBackend {

        private final CompletableFuture<Void> sent;

        Slow(LockBackend store, CompletableFuture<Void> sent) {
            super(store);
            this.sent = sent;
        }

        @Override
        public CompletionStage<ForcedRelease.Outcome> revoke(LockId id, long fencingToken) {
            return sent.thenCompose(now -> super.revoke(id, fencingToken));
        }
    }

    /** Grants locks when a test says so. Executes revocations, and neither answers nor hints at them. */
    private static final class Distant extends DelegatingLockBackend {

        private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();

        Distant(LockBackend store) {
            super(store);
        }

        @Override
        public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
            CompletableFuture<AcquireAnswer> answer = new CompletableFuture<>();
            answers.add(() -> super.acquire(command).thenAccept(answer::complete));
            return answer;
        }

        @Override
        public CompletionStage<ForcedRelease.Outcome> revoke(LockId id, long fencingToken) {
            super.revoke(id, fencingToken);
            return new CompletableFuture<>();
        }

        @Override
        public void onRevocation(LongConsumer listener) {}
    }

    /** Describes locks, and never answers a revocation. */
    private static final class Silent extends DelegatingLockBackend {

        Silent(LockBackend store) {
            super(store);
        }

        @Override
        public CompletionStage<ForcedRelease.Outcome> revoke(LockId id, long fencingToken) {
            return new CompletableFuture<>();
        }
    }

    /** The revocation arrives between the end of the handle and that of its lease. */
    @Test
    void aReleaseThatMeetsAForcedReleaseFreesTheLock() {
        AtomicReference<LeaseLocker> meeting = new AtomicReference<>();
        LockEngine engine = time.engine(new LockListener() {
            @Override
            public void released(LockHandle handle, Duration held) {
                meeting.get().forceRelease("a", handle.fencingToken(), "alice");
            }
        });
        meeting.set(engine.locker(settings(), "memory", store));
        LockHandle handle = meeting.get().lock("a");
        handle.renew(Duration.ofHours(1));
        handle.release();
        time.pass(Duration.ofMinutes(1));
        assertThat(there.tryLock("a")).isPresent();
        time.close(engine);
    }

    /** As many callers as the executor has threads. */
    @Test
    void forcedReleasesThatAreAwaitedOnTheThreadsOfResultsEnd() {
        ExecutorService results = Executors.newSingleThreadExecutor();
        CompletableFuture<LockState> state = new CompletableFuture<>();
        LockBackend slow = new DelegatingLockBackend(store) {
            @Override
            public CompletionStage<LockState> describe(LockId id) {
                return state;
            }
        };
        LockEngine engine = time.engine(new LockListener() {}, results);
        LeaseLocker locker = engine.locker(settings(), "memory", slow);
        try {
            CompletableFuture<ForcedRelease> released = CompletableFuture.supplyAsync(
                    () -> locker.forceRelease("a", 1, "alice")
                            .toCompletableFuture()
                            .join(),
                    results);
            CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS)
                    .execute(() -> state.complete(new LockState.Free()));
            assertThat(released).succeedsWithin(Duration.ofSeconds(30));
        } finally {
            results.shutdownNow();
            time.close(engine);
        }
    }
}
