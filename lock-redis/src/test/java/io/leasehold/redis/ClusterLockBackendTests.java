package io.leasehold.redis;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.servers.redis.RedisCluster;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A Redis Cluster of six nodes keeps the contract over Lettuce. */
class ClusterLockBackendTests extends LockBackendContract {

    private static final RedisLockOptions PATIENT =
            RedisLockOptions.defaults().withReplicaTimeout(Duration.ofSeconds(1));

    private static RedisCluster cluster;

    private static RedisClient client;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(3, 1);
        client = RedisClient.of(cluster);
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @Override
    protected LockBackend create() {
        return RedisLocking.readyForWaiters(client.factory(), PATIENT);
    }

    @Override
    public void wipe() {
        cluster.masters().forEach(master -> master.command("FLUSHALL"));
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.WAKEUPS, Capability.HOLDERS, Capability.REVOCATION, Capability.REVOCATION_HINTS);
    }
}
