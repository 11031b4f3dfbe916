package io.leasehold.redis;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** Redis keeps the contract over Jedis, through an executor. */
class JedisLockBackendTests extends LockBackendContract {

    private static JedisConnectionFactory factory;

    @BeforeAll
    static void start() {
        factory = new JedisConnectionFactory(new RedisStandaloneConfiguration(
                RedisServer.shared().host(), RedisServer.shared().port()));
        factory.afterPropertiesSet();
        factory.start();
    }

    @AfterAll
    static void stop() {
        factory.destroy();
    }

    @Override
    protected LockBackend create() {
        return RedisLockBackend.of(factory, RedisLockOptions.defaults());
    }

    @Override
    public void wipe() {
        RedisServer.shared().command("FLUSHALL");
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.HOLDERS, Capability.LISTING, Capability.REVOCATION);
    }
}
