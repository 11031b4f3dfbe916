package io.leasehold.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockListener;
import io.leasehold.contract.LockLoad;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.testsupport.QuietLog;
import io.leasehold.testsupport.Seeds;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Careless users of several engines on one etcd never work at the same time, and no key stays. */
@Tag("slow")
class EtcdLockLoadTests {

    private static final Duration TTL = Duration.ofMillis(500);

    private static final List<String> KEYS = List.of("a", "b", "c");

    private static final String KEY_PREFIX = "load-test/";

    private final QuietLog quiet = new QuietLog("io.leasehold.engine");

    private final List<EtcdLockBackend> backends = Stream.generate(() -> new EtcdLockBackend(
                    EtcdOptions.of(SharedEtcd.endpoint()).withKeyPrefix(KEY_PREFIX),
                    System::nanoTime,
                    InstantSource.system()))
            .limit(3)
            .toList();

    private final List<LockEngine> engines = IntStream.range(0, 3)
            .mapToObj(i -> new LockEngine(new LockListener() {}))
            .toList();

    private final List<LeaseLocker> lockers = IntStream.range(0, 3)
            .mapToObj(i -> engines.get(i).locker(LockerSettings.of("load").withTtl(TTL), "etcd", backends.get(i)))
            .toList();

    @AfterEach
    void close() {
        engines.forEach(LockEngine::close);
        backends.forEach(EtcdLockBackend::close);
        quiet.close();
    }

    @Test
    void noHoldsOverlapAndNoLockIsLeft() {
        LockLoad load = new LockLoad(List.copyOf(lockers), KEYS, TTL);
        Random seeds = Seeds.random("LockLoad");
        // a busy machine grants few locks within the short waits of one load
        do {
            load.run(9, 40, seeds);
        } while (load.history().size() <= 50);
        assertThat(load.history().violations()).isEmpty();
        await().untilAsserted(() -> assertThat(lockers)
                .extracting(LeaseLocker::status)
                .allMatch(status -> status.held().isEmpty() && status.waiting() == 0 && status.pendingRemovals() == 0));
        try (EtcdAdmin admin = SharedEtcd.admin()) {
            await().untilAsserted(() -> assertThat(admin.keys())
                    .noneMatch(key -> key.getKey().toStringUtf8().startsWith(KEY_PREFIX)));
        }
    }
}
