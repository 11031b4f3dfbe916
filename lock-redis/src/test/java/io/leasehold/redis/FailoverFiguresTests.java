package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.contract.History;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisCluster;
import io.leasehold.servers.redis.RedisSentinels;
import io.leasehold.servers.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Masters fail under load repeatedly. The time until their locks are granted again is printed. */
@Tag("soak")
@Timeout(1200)
class FailoverFiguresTests {

    private static final int ROUNDS = Integer.getInteger("leasehold.rounds", 3);

    private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(10);

    private static final Duration SHORT_TTL = Duration.ofMillis(1500);

    private static final LockerSettings SETTINGS =
            LockerSettings.of("deploy").withTtl(Duration.ofSeconds(3)).withCommandTimeout(Duration.ofMillis(500));

    private final List<Long> recoveries = new ArrayList<>();

    private int grants;

    private int overlaps;

    @ParameterizedTest
    @CsvSource({"KILLED,0", "KILLED,1", "STOPPED,0", "STOPPED,1"})
    void sentinelsReplaceAMaster(MasterFault fault, int minReplicas) {
        for (int round = 0; round < ROUNDS; round++) {
            try (RedisSentinels sentinels = RedisSentinels.start(2);
                    RedisLocking here = locking(RedisClient.of(sentinels), minReplicas);
                    RedisLocking elsewhere = locking(RedisClient.of(sentinels), minReplicas)) {
                replace(sentinels.master(), fault, here, elsewhere);
            }
        }
        report("Sentinel", fault, minReplicas);
    }

    @ParameterizedTest
    @CsvSource({"KILLED,0", "KILLED,1", "STOPPED,0", "STOPPED,1"})
    void aClusterReplacesAMaster(MasterFault fault, int minReplicas) {
        for (int round = 0; round < ROUNDS; round++) {
            try (RedisCluster cluster = RedisCluster.start(3, 2);
                    RedisLocking here = locking(RedisClient.of(cluster), minReplicas);
                    RedisLocking elsewhere = locking(RedisClient.of(cluster), minReplicas)) {
                replace(cluster.masterOf("deploy:probe"), fault, here, elsewhere);
            }
        }
        report("Cluster", fault, minReplicas);
    }

    private void replace(RedisServer master, MasterFault fault, RedisLocking here, RedisLocking elsewhere) {
        LockHandle before = here.locker().lock("probe");
        before.close();
        List<String> keys = IntStream.range(0, 6).mapToObj(i -> "load-" + i).toList();
        try (FailoverLoad load = new FailoverLoad(List.of(here.locker(), elsewhere.locker()), keys, SHORT_TTL)) {
            long struckAt = System.nanoTime();
            fault.happenTo(master);
            LockHandle after = await().pollInterval(Duration.ofMillis(20))
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptionsInstanceOf(LockBackendException.class)
                    .until(() -> elsewhere.locker().tryLock("probe").orElse(null), handle -> handle != null);
            recoveries.add(System.nanoTime() - struckAt);
            assertThat(after.fencingToken()).isGreaterThan(before.fencingToken());
            after.close();
            if (fault == MasterFault.STOPPED) {
                master.resume();
            }
            History history = load.end();
            grants += history.size();
            List<String> violations = history.violations();
            overlaps += (int) violations.stream()
                    .filter(each -> each.startsWith("overlap"))
                    .count();
            assertThat(violations).allMatch(each -> each.startsWith("overlap"));
        }
    }

    private void report(String topology, MasterFault fault, int minReplicas) {
        Duration longest = Duration.ofNanos(Collections.max(recoveries));
        System.out.printf(
                "%s, master %s, min-replicas %d, %d times: %d grants, %d overlaps, recovered after at most %d ms%n",
                topology, fault, minReplicas, recoveries.size(), grants, overlaps, longest.toMillis());
        assertThat(longest).isLessThan(LONGEST_RECOVERY);
        if (minReplicas > 0) {
            assertThat(overlaps).isZero();
        }
    }

    private static RedisLocking locking(RedisClient client, int minReplicas) {
        return new RedisLocking(client, SETTINGS, RedisLockOptions.defaults().withMinReplicas(minReplicas));
    }
}
