package io.leasehold.redis;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import io.lettuce.core.resource.ClientResources;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Redis keeps the contract over Lettuce, for a user with the documented rights, that to list locks, and no others. */
class LettuceLockBackendTests extends LockBackendContract {

    private static final String USER = "contract";

    private static ClientResources resources;

    private static LettuceConnectionFactory factory;

    @BeforeAll
    static void start() {
        RedisUser.documented().inNamespaces("?-*").with("+scan").create(RedisServer.shared(), USER);
        resources = ClientResources.create();
        factory = new LettuceConnectionFactory(
                RedisUser.at(RedisServer.shared(), USER),
                LettuceClientConfiguration.builder().clientResources(resources).build());
        factory.afterPropertiesSet();
        factory.start();
    }

    @AfterAll
    static void stop() {
        factory.destroy();
        resources.shutdown();
        RedisServer.shared().command("ACL", "DELUSER", USER);
    }

    RedisLockOptions options() {
        return RedisLockOptions.defaults();
    }

    @Override
    protected LockBackend create() {
        return RedisLocking.readyForWaiters(factory, options());
    }

    @Override
    public void wipe() {
        RedisServer.shared().command("FLUSHALL");
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }
}
