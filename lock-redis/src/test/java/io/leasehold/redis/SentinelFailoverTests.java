package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisSentinels;
import io.leasehold.servers.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Sentinels replace a master while its locks are held and contended (rules.md F31 and F32). Replicas confirm leases.
 */
@Tag("slow")
class SentinelFailoverTests {

    private static final Duration TTL = Duration.ofSeconds(3);

    private static final Duration SHORT_TTL = Duration.ofMillis(1500);

    private static final LockerSettings SETTINGS =
            LockerSettings.of("deploy").withTtl(TTL).withCommandTimeout(Duration.ofMillis(500));

    private final RedisSentinels sentinels = RedisSentinels.start(2);

    private final RedisLocking here = locking();

    private final RedisLocking elsewhere = locking();

    @AfterEach
    void close() {
        here.close();
        elsewhere.close();
        sentinels.close();
    }

    @ParameterizedTest
    @EnumSource
    void aMasterIsReplacedUnderLoad(MasterFault fault) {
        RedisServer former = sentinels.master();
        LockHandle before = here.locker().lock("before");
        try (FailoverLoad load =
                new FailoverLoad(List.of(here.locker(), elsewhere.locker()), List.of("a", "b"), SHORT_TTL)) {
            fault.happenTo(former);
            sentinels.awaitFailoverFrom(former);
            awaitWorking(here);
            awaitWorking(elsewhere);
            load.awaitGrants();
            if (fault == MasterFault.STOPPED) {
                former.resume();
            }
            assertThat(load.end().violations()).isEmpty();
        }
        before.close();
        try (LockHandle after = elsewhere.locker().lock("before")) {
            assertThat(after.fencingToken()).isGreaterThan(before.fencingToken());
        }
    }

    private static void awaitWorking(RedisLocking locking) {
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .until(() -> locking.locker().tryLock("working").orElseThrow().release());
    }

    private RedisLocking locking() {
        return new RedisLocking(RedisClient.of(sentinels), SETTINGS, RedisLockOptions.defaults());
    }
}
