package io.leasehold.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.engine.LockerSettings;
import io.leasehold.testsupport.Disturbance;
import io.leasehold.testsupport.LockLoad;
import io.leasehold.testsupport.QuietLog;
import io.leasehold.testsupport.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Careless users in three processes on one Redis while the network of each fails: nobody is sure of a lock at the same
 * time as another, fencing tokens rise, and when it is over every lock is free again within its ttl and a second.
 */
@Tag("slow")
class RedisLoadTests {

    private static final Duration TTL = Duration.ofMillis(600);

    private static final List<String> KEYS = List.of("a", "b", "c", "d", "e");

    private final QuietLog engineLog = new QuietLog("io.leasehold");

    private final QuietLog clientLog = new QuietLog("io.lettuce");

    private final RedisServer redis = RedisServer.start();

    private final List<RedisProcess> processes = IntStream.range(0, 3)
            .mapToObj(i -> new RedisProcess(
                    redis.port(), LockerSettings.of("load").withTtl(TTL).withCommandTimeout(Duration.ofMillis(100))))
            .toList();

    private final LockLoad load = new LockLoad(
            List.copyOf(processes.stream().map(RedisProcess::locker).toList()), KEYS, TTL);

    @BeforeEach
    void connect() {
        for (RedisProcess process : processes) {
            await().ignoreExceptions()
                    .until(() -> process.locker()
                            .tryLock("warm-up", TTL)
                            .filter(LockHandle::release)
                            .isPresent());
        }
    }

    @AfterEach
    void close() {
        processes.forEach(RedisProcess::close);
        redis.close();
        engineLog.close();
        clientLog.close();
    }

    @Test
    void withoutFaultsEverybodyIsServed() {
        load.run(12, 60);
        assertThat(load.history().violations()).isEmpty();
        assertThat(load.history().size()).isGreaterThan(200);
        assertEverythingIsFree();
    }

    @Test
    void aFailingNetworkMakesNobodyOverlap() {
        try (Disturbance disturbance =
                new Disturbance(processes.stream().map(RedisProcess::network).toList(), TTL.dividedBy(2))) {
            load.run(12, 60);
            assertThat(disturbance.faults()).isGreaterThan(5);
        }
        assertThat(load.history().violations()).isEmpty();
        assertThat(load.history().size()).isGreaterThan(50);
        assertEverythingIsFree();
    }

    private void assertEverythingIsFree() {
        await().atMost(TTL.plusSeconds(1))
                .until(() ->
                        KEYS.stream().allMatch(key -> Long.valueOf(0).equals(redis.command("EXISTS", "load:" + key))));
        for (RedisProcess process : processes) {
            for (String key : KEYS) {
                await().atMost(Duration.ofSeconds(5))
                        .ignoreExceptions()
                        .until(() -> process.locker()
                                .tryLock(key, TTL)
                                .filter(LockHandle::release)
                                .isPresent());
            }
            await().untilAsserted(() -> assertThat(process.locker().status())
                    .matches(status ->
                            status.held().isEmpty() && status.waiting() == 0 && status.pendingRemovals() == 0));
        }
    }
}
