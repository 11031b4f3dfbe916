package io.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.contract.HotLock;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** R31: a process that restarts continues above the tokens of the process before, however fast that process was. */
class MemoryFenceLeadTests {

    private static final Duration AT_FULL_SPEED = Duration.ofSeconds(1);

    private static final Duration LARGEST_LEAD = Duration.ofMillis(50);

    /** A busy machine needs several rounds for as many. */
    private static final long MANY = 1_000;

    @ParameterizedTest
    @CsvSource({"1, 64", "1, 255", "2, 255", "32, 255"})
    void aHotLockDoesNotRunAheadOfTheClock(int threads, int handoffs) throws Exception {
        try (MemoryLockBackend backend = new MemoryLockBackend(System::nanoTime, InstantSource.system());
                LockEngine engine = new LockEngine(new LockListener() {})) {
            LeaseLocker locker =
                    engine.locker(LockerSettings.of("lead").withMaxLocalHandoffs(handoffs), "memory", backend);
            long granted = 0;
            while (granted < MANY) {
                granted += HotLock.run(locker, threads, AT_FULL_SPEED);
            }
            try (LockHandle last = locker.lock("a")) {
                long clock = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
                assertThat(last.fencingToken() - clock).isLessThan(LARGEST_LEAD.toNanos());
            }
        }
    }
}
