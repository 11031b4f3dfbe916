package io.leasehold.backend.redis;

import io.leasehold.backend.LockBackendContract;
import io.leasehold.spi.LockBackend;
import io.leasehold.testsupport.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** Redis keeps the contract over Jedis, through an executor. */
class JedisLockBackendTests extends LockBackendContract {

    private static final JedisConnectionFactory FACTORY = new JedisConnectionFactory(new RedisStandaloneConfiguration(
            RedisServer.shared().host(), RedisServer.shared().port()));

    @BeforeAll
    static void start() {
        FACTORY.afterPropertiesSet();
        FACTORY.start();
    }

    @AfterAll
    static void stop() {
        FACTORY.destroy();
    }

    @Override
    protected LockBackend create() {
        return new RedisLockBackend(FACTORY, RedisLockOptions.defaults());
    }

    @Override
    public void wipe() {
        RedisServer.shared().command("FLUSHALL");
    }

    @Override
    public boolean givesTurns() {
        return false;
    }
}
