package io.leasehold.redis;

import io.lettuce.core.resource.ClientResources;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Factories of connections for locks. */
final class LockFactory {

    private LockFactory() {}

    /** One that leads where another does, not started yet. */
    static LettuceConnectionFactory like(LettuceConnectionFactory original, ClientResources resources) {
        LettuceConnectionFactory own = of(original, new LockClientConfiguration(original, resources));
        own.setEagerInitialization(false);
        own.afterPropertiesSet();
        return own;
    }

    private static LettuceConnectionFactory of(LettuceConnectionFactory original, LettuceClientConfiguration client) {
        RedisClusterConfiguration cluster = original.getClusterConfiguration();
        RedisSentinelConfiguration sentinel = original.getSentinelConfiguration();
        if (cluster != null) {
            return new LettuceConnectionFactory(cluster, client);
        }
        if (sentinel != null) {
            return new LettuceConnectionFactory(sentinel, client);
        }
        return original.getSocketConfiguration() != null
                ? new LettuceConnectionFactory(original.getSocketConfiguration(), client)
                : new LettuceConnectionFactory(original.getStandaloneConfiguration(), client);
    }
}
