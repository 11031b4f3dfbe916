package io.leasehold.autoconfigure;

import io.leasehold.redis.RedisLockBackend;
import io.leasehold.redis.RedisLockOptions;
import io.leasehold.spi.LockBackend;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Makes stores in Redis: in that of a connection factory, or in one that only locks use.
 *
 * @param clients finds connection factories
 * @param inline how to connect where there is none
 * @param properties how locks are kept
 */
record RedisStores(ClientBeans clients, LettuceClients inline, RedisLockProperties properties)
        implements OwnRedisFactory {

    private static final boolean LETTUCE =
            ClassUtils.isPresent("io.lettuce.core.RedisClient", RedisStores.class.getClassLoader());

    @Override
    public LockBackend create(OwnRedis own) {
        return create(own.property(), own.server());
    }

    LockBackend create(String property, RedisServerProperties server) {
        server.check(property);
        RedisLockOptions options = properties.options();
        if (!server.isInline()) {
            return new RedisLockBackend(
                    clients.get(
                            RedisConnectionFactory.class, server.connectionFactory(), property + ".connection-factory"),
                    options);
        }
        if (!LETTUCE) {
            throw new LockConfigurationException(
                    property + (server.url() == null ? ".host" : ".url"),
                    null,
                    "needs Lettuce",
                    "Add io.lettuce:lettuce-core, or define a RedisConnectionFactory bean and name it in '" + property
                            + ".connection-factory'.");
        }
        RedisServerAddress address = server.address(property);
        return RedisLockBackend.of(address.server(), inline.of(property, address.ssl()), options);
    }
}
