package io.leasehold.redis;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.servers.redis.RedisCluster;
import io.leasehold.spi.LockBackend;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** A Redis Cluster keeps the contract over Jedis, through an executor. */
class JedisClusterLockBackendTests extends LockBackendContract {

    private static RedisCluster cluster;

    private static JedisConnectionFactory factory;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(3, 0);
        factory = new JedisConnectionFactory(new RedisClusterConfiguration(
                List.of("127.0.0.1:" + cluster.nodes().get(0).port())));
        factory.afterPropertiesSet();
        factory.start();
    }

    @AfterAll
    static void stop() {
        factory.destroy();
        cluster.close();
    }

    @Override
    protected LockBackend create() {
        return RedisLockBackend.of(factory, RedisLockOptions.defaults());
    }

    @Override
    public void wipe() {
        cluster.masters().forEach(master -> master.command("FLUSHALL"));
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.HOLDERS, Capability.REVOCATION);
    }
}
