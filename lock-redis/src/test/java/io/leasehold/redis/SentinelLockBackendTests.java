package io.leasehold.redis;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.servers.redis.RedisSentinels;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Redis keeps the contract as a master with a replica, found through three sentinels. */
class SentinelLockBackendTests extends LockBackendContract {

    private static final RedisLockOptions PATIENT = RedisLockOptions.defaults()
            .withReplicaTimeout(Duration.ofSeconds(1))
            .withGracePeriod(Duration.ZERO);

    private static RedisSentinels sentinels;

    private static RedisClient client;

    @BeforeAll
    static void start() {
        sentinels = RedisSentinels.start(1);
        client = RedisClient.of(sentinels);
    }

    @AfterAll
    static void stop() {
        client.close();
        sentinels.close();
    }

    @Override
    protected LockBackend create() {
        return RedisLocking.readyForWaiters(client.factory(), PATIENT);
    }

    @Override
    public void wipe() {
        sentinels.master().command("FLUSHALL");
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }
}
