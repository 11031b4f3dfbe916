package io.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.contract.LockLoad;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.testsupport.QuietLog;
import io.leasehold.testsupport.Seeds;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Careless users of several engines on one memory store never work at the same time. */
class MemoryLockLoadTests {

    private static final Duration TTL = Duration.ofMillis(150);

    private static final List<String> KEYS = List.of("a", "b", "c");

    private final QuietLog quiet = new QuietLog("io.leasehold.engine");

    private final MemoryLeases leases = new MemoryLeases(System::nanoTime, InstantSource.system());

    private final List<LockEngine> engines = IntStream.range(0, 3)
            .mapToObj(i -> new LockEngine(new LockListener() {}))
            .toList();

    private final List<LeaseLocker> lockers = engines.stream()
            .map(engine -> engine.locker(
                    LockerSettings.of("load").withTtl(TTL).withCommandTimeout(Duration.ofMillis(25)),
                    "memory",
                    new MemoryLockBackend(leases)))
            .toList();

    @AfterEach
    void close() {
        engines.forEach(LockEngine::close);
        quiet.close();
    }

    @Test
    void noHoldsOverlapAndNoLockIsLeft() {
        LockLoad load = new LockLoad(List.copyOf(lockers), KEYS, TTL);
        load.run(12, 80, Seeds.random("LockLoad"));
        assertThat(load.history().violations()).isEmpty();
        assertThat(load.history().size()).isGreaterThan(200);
        for (String key : KEYS) {
            assertThat(lockers.get(0).tryLock(key, TTL.plusSeconds(1))).get().satisfies(handle -> handle.close());
        }
        await().untilAsserted(() -> assertThat(lockers)
                .extracting(LeaseLocker::status)
                .allMatch(status -> status.held().isEmpty() && status.waiting() == 0 && status.pendingRemovals() == 0));
    }

    @Test
    void theFirstLockerCountsAsOneProcess() {
        Locker locker = lockers.get(0);
        LockLoad load = new LockLoad(List.of(locker), KEYS, TTL);
        load.run(8, 60, Seeds.random("LockLoad"));
        assertThat(load.history().violations()).isEmpty();
        assertThat(load.history().size()).isGreaterThan(100);
    }
}
