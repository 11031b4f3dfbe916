package io.leasehold.backend.redis;

import io.leasehold.backend.LockBackendContract;
import io.leasehold.spi.LockBackend;
import io.leasehold.testsupport.RedisServer;
import io.lettuce.core.resource.ClientResources;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Redis keeps the contract over Lettuce. */
class LettuceLockBackendTests extends LockBackendContract {

    private static final ClientResources RESOURCES = ClientResources.create();

    private static final LettuceConnectionFactory FACTORY = new LettuceConnectionFactory(
            new RedisStandaloneConfiguration(
                    RedisServer.shared().host(), RedisServer.shared().port()),
            LettuceClientConfiguration.builder().clientResources(RESOURCES).build());

    @BeforeAll
    static void start() {
        FACTORY.afterPropertiesSet();
        FACTORY.start();
    }

    @AfterAll
    static void stop() {
        FACTORY.destroy();
        RESOURCES.shutdown();
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
        return true;
    }
}
