package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisCluster;
import io.leasehold.servers.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cluster loses one of its masters: rules.md F25 and F31. */
@Tag("slow")
class ClusterFailoverTests {

    private static final Duration TTL = Duration.ofSeconds(3);

    private static final Duration SHORT_TTL = Duration.ofMillis(1500);

    private static final LockerSettings SETTINGS =
            LockerSettings.of("deploy").withTtl(TTL).withCommandTimeout(Duration.ofMillis(500));

    private final RedisCluster cluster = RedisCluster.start(3, 2);

    private final RedisLocking here = locking();

    private final RedisLocking elsewhere = locking();

    @AfterEach
    void close() {
        here.close();
        elsewhere.close();
        cluster.close();
    }

    @ParameterizedTest
    @EnumSource
    void aMasterIsReplacedUnderLoad(MasterFault fault) {
        RedisServer former = cluster.masterOf("deploy:working");
        LockHandle before = here.locker().lock("before");
        List<LockHandle> onOthers = locksOnOthers(former);
        List<String> keys = IntStream.range(0, 6).mapToObj(i -> "load-" + i).toList();
        try (FailoverLoad load = new FailoverLoad(List.of(here.locker(), elsewhere.locker()), keys, SHORT_TTL)) {
            fault.happenTo(former);
            cluster.awaitFailoverFrom(former, "deploy:working");
            awaitWorking(here);
            awaitWorking(elsewhere);
            load.awaitGrants();
            if (fault == MasterFault.STOPPED) {
                former.resume();
            }
            assertThat(load.end().violations()).isEmpty();
        }
        assertThat(onOthers).hasSize(30).allMatch(LockHandle::isHeld).allMatch(LockHandle::release);
        before.close();
        try (LockHandle after = elsewhere.locker().lock("before")) {
            assertThat(after.fencingToken()).isGreaterThan(before.fencingToken());
        }
    }

    private List<LockHandle> locksOnOthers(RedisServer dead) {
        List<LockHandle> locks = new ArrayList<>();
        for (int i = 0; locks.size() < 30; i++) {
            if (cluster.masterOf("deploy:other-" + i) != dead) {
                locks.add(here.locker().lock("other-" + i));
            }
        }
        return locks;
    }

    private static void awaitWorking(RedisLocking locking) {
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .until(() -> locking.locker().tryLock("working").orElseThrow().release());
    }

    private RedisLocking locking() {
        return new RedisLocking(RedisClient.of(cluster), SETTINGS, RedisLockOptions.defaults());
    }
}
