package io.leasehold.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.contract.LockLoad;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.testsupport.Disturbance;
import io.leasehold.testsupport.QuietLog;
import io.leasehold.testsupport.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Careful users in three processes on one Redis while the network of each process fails. No two users are sure of a
 * lock at the same time, and fencing tokens increase. After the faults, every lock is free again. The whole matrix
 * measures how soon, see {@link FaultMatrixContract}.
 */
@Tag("slow")
class RedisLoadTests {

    private static final Duration TTL = Duration.ofMillis(600);

    /** How much later a busy machine may free a lock. */
    private static final Duration SLACK = Duration.ofSeconds(15);

    private static final int FEW = 5;

    private static final int MANY = 200;

    /** One connection of the application, one for commands and one for messages. */
    private static final int SHARED_CONNECTIONS = 3;

    private final QuietLog engineLog = new QuietLog("io.leasehold");

    private final QuietLog clientLog = new QuietLog("io.lettuce");

    private final RedisServer redis = RedisServer.start();

    private final List<RedisProcess> processes = IntStream.range(0, 3)
            .mapToObj(i -> new RedisProcess(
                    redis.port(), LockerSettings.of("load").withTtl(TTL).withCommandTimeout(Duration.ofMillis(100))))
            .toList();

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

    @ParameterizedTest
    @ValueSource(ints = {FEW, MANY})
    void withoutFaultsAllUsersAcquireTheirLocks(int keys) {
        LockLoad load = load(keys);
        Random seeds = Seeds.random("LockLoad");
        // a busy machine grants few locks within the short waits of one load
        do {
            load.run(12, 60, seeds);
        } while (load.history().size() <= 200);
        assertThat(load.history().violations()).isEmpty();
        assertEverythingIsFree(keys);
        assertThat(processes).allMatch(process -> process.network().connections() <= SHARED_CONNECTIONS);
    }

    @ParameterizedTest
    @ValueSource(ints = {FEW, MANY})
    void aFailingNetworkCausesNoOverlap(int keys) {
        LockLoad load = load(keys);
        try (Disturbance disturbance =
                new Disturbance(processes.stream().map(RedisProcess::network).toList(), TTL.dividedBy(2))) {
            Random seeds = Seeds.random("LockLoad");
            // a busy machine may inject few faults while one load lasts, and grant few locks
            do {
                load.run(12, 60, seeds);
            } while (disturbance.faults() <= 5 || load.history().size() <= 50);
        }
        assertThat(load.history().violations()).isEmpty();
        assertEverythingIsFree(keys);
    }

    private LockLoad load(int keys) {
        return new LockLoad(
                List.copyOf(processes.stream().map(RedisProcess::locker).toList()), keys(keys), TTL);
    }

    private static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "k" + i).toList();
    }

    private void assertEverythingIsFree(int keys) {
        String[] exists = Stream.concat(Stream.of("EXISTS"), keys(keys).stream().map(key -> "load:" + key))
                .toArray(String[]::new);
        await().atMost(TTL.plusSeconds(1).plus(SLACK))
                .untilAsserted(() -> assertThat(redis.command(exists)).isEqualTo(0L));
        for (RedisProcess process : processes) {
            await().atMost(Duration.ofSeconds(20))
                    .ignoreExceptions()
                    .until(() -> keys(keys).stream().allMatch(key -> canBeLocked(process, key)));
            await().untilAsserted(() -> assertThat(process.locker().status())
                    .matches(status ->
                            status.held().isEmpty() && status.waiting() == 0 && status.pendingRemovals() == 0));
        }
    }

    private static boolean canBeLocked(RedisProcess process, String key) {
        return process.locker().tryLock(key, TTL).filter(LockHandle::release).isPresent();
    }
}
