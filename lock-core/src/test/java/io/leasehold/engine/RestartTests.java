package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LossReason;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.Instance;
import io.leasehold.testsupport.QuietLog;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
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
}
