package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockState;
import io.leasehold.LossReason;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.testsupport.QuietLog;
import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An engine that was shut down and resumes. */
class RestartTests {

    private final QuietLog quiet = new QuietLog("io.leasehold.engine");

    private final MemoryLockBackend backend = new MemoryLockBackend(System::nanoTime, InstantSource.system());

    private final LockEngine engine = new LockEngine(new LockListener() {});

    private final LockerSettings settings =
            LockerSettings.of("deploy").withTtl(Duration.ofSeconds(2)).withCommandTimeout(Duration.ofMillis(300));

    private final LeaseLocker locker = engine.locker(settings, "memory", backend);

    @AfterEach
    void close() {
        engine.close();
        backend.close();
        quiet.close();
    }

    /** After a restored checkpoint, another process may have the same one. */
    @Test
    void itHasOtherTokensAndIsAnotherInstance() {
        TokenSource tokens = locker.state().resources().tokens();
        Instance before = tokens.instance();
        engine.shutdown(Duration.ZERO);
        engine.resume();
        assertThat(tokens.instance()).isNotEqualTo(before);
    }

    @Test
    void itGrantsNewLeasesAndRenewsThem() {
        LockHandle before = locker.lock("a");
        CompletableFuture<LossReason> told = new CompletableFuture<>();
        before.onLost(told::complete);
        assertThat(engine.shutdown(Duration.ZERO)).isFalse();
        assertThat(told).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(LossReason.SHUTDOWN);

        engine.resume();
        LockHandle after = locker.lock("a");
        assertThat(after.fencingToken()).isGreaterThan(before.fencingToken());
        assertThat(before.isHeld()).isFalse();
        await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
        assertThat(after.isHeld()).isTrue();
        assertThat(after.release()).isTrue();
    }

    /** An application resumes its engine when it starts, and its beans may have locks by then. */
    @Test
    void aLockThatIsHeldWhenTheEngineResumesIsRenewedAndReleased() {
        LockHandle leader = locker.lock("leader");
        LockHandle brief = locker.lock("short");
        engine.resume();
        assertThat(brief.release()).isTrue();
        assertThat(locker.tryLock("short")).isPresent();
        leader.renew();
        await().during(settings.ttl().multipliedBy(2))
                .atMost(Duration.ofSeconds(30))
                .until(leader::isHeld);
        assertThat(leader.release()).isTrue();
    }

    /** The store has the name of the grant, and some stores have no fencing token. */
    @Test
    void aLockThatIsHeldWhenTheEngineGetsAnotherNameIsStillItsOwn() {
        AtomicReference<String> name = new AtomicReference<>("orders@host-1:1");
        try (LockEngine renamed = new LockEngine(new LockListener() {}, name::get)) {
            LeaseLocker own = renamed.locker(settings, "memory", new WithoutFencingTokens(backend));
            LockHandle leader = own.lock("leader");
            name.set("orders@host-2:1");
            renamed.resume();
            LockState.Held state = (LockState.Held)
                    own.describe("leader").toCompletableFuture().join();
            assertThat(state.holder()).startsWith("orders@host-1:1, thread ");
            assertThat(state.fencingToken()).hasValue(leader.fencingToken());
            assertThat(leader.release()).isTrue();
        }
    }

    private static final class WithoutFencingTokens extends DelegatingLockBackend {

        WithoutFencingTokens(LockBackend delegate) {
            super(delegate);
        }

        @Override
        public CompletionStage<LockState> describe(LockId id) {
            return super.describe(id)
                    .thenApply(state -> state instanceof LockState.Held held
                            ? new LockState.Held(
                                    held.kind(),
                                    held.holder(),
                                    held.since(),
                                    held.remaining(),
                                    OptionalLong.empty(),
                                    held.waiting())
                            : state);
        }
    }
}
