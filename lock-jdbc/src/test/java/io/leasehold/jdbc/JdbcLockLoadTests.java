package io.leasehold.jdbc;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * F14 and F48: careless users of three processes, whose clocks differ by ten minutes, on new keys of one database.
 * Users never work at the same time, no deadlock is reported, and no lock stays held.
 */
@Tag("slow")
class JdbcLockLoadTests {

    private static final Duration TTL = Duration.ofMillis(500);

    private static final List<String> KEYS = List.of("a", "b", "c", "d");

    private final QuietLog quiet = new QuietLog("io.leasehold.engine");

    private final List<JdbcLockBackend> backends = new ArrayList<>();

    private final List<LockEngine> engines = new ArrayList<>();

    @AfterEach
    void close() {
        engines.forEach(LockEngine::close);
        backends.forEach(JdbcLockBackend::close);
        quiet.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void noHoldsOverlapAndNoLockIsLeft(TestDatabase database) {
        String namespace = "load-" + UUID.randomUUID();
        List<LeaseLocker> lockers = new ArrayList<>();
        for (int process = 0; process < 3; process++) {
            lockers.add(locker(database, namespace, (process - 1) * TimeUnit.MINUTES.toNanos(10)));
        }
        LockLoad load = new LockLoad(List.<Locker>copyOf(lockers), KEYS, TTL);
        Random seeds = Seeds.random("LockLoad");
        // a busy machine grants few locks within the short waits of one load
        do {
            load.run(32, 8, seeds);
        } while (load.history().size() <= 20);

        assertThat(load.history().violations()).isEmpty();
        assertThat(load.storeFailures())
                .noneMatch(failure -> String.valueOf(failure).contains("rolled back"));
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(lockers)
                        .extracting(LeaseLocker::status)
                        .allMatch(status ->
                                status.held().isEmpty() && status.waiting() == 0 && status.pendingRemovals() == 0));
    }

    private LeaseLocker locker(TestDatabase database, String namespace, long clockError) {
        JdbcLockBackend backend = JdbcLockBackend.withOwnPool(
                database.dataSource(), new JdbcLockOptions(), () -> System.nanoTime() + clockError);
        backend.initializeSchema();
        backends.add(backend);
        LockEngine engine = new LockEngine(new LockListener() {});
        engines.add(engine);
        return engine.locker(LockerSettings.of(namespace).withTtl(TTL), "jdbc", backend);
    }
}
