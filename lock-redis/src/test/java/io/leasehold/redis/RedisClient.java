package io.leasehold.redis;

import io.leasehold.servers.redis.RedisCluster;
import io.leasehold.servers.redis.RedisContainer;
import io.leasehold.servers.redis.RedisSentinels;
import io.leasehold.servers.redis.RedisServer;
import io.lettuce.core.resource.ClientResources;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The parts of an application that connects with Lettuce: its threads, and the factory that Spring Boot would create.
 */
public final class RedisClient implements AutoCloseable {

    private final ClientResources resources = ClientResources.create();

    private final LettuceConnectionFactory factory;

    private RedisClient(RedisConfiguration configuration) {
        LettuceClientConfiguration client =
                LettuceClientConfiguration.builder().clientResources(resources).build();
        factory = configuration instanceof RedisClusterConfiguration cluster
                ? new LettuceConnectionFactory(cluster, client)
                : configuration instanceof RedisSentinelConfiguration sentinels
                        ? new LettuceConnectionFactory(sentinels, client)
                        : new LettuceConnectionFactory((RedisStandaloneConfiguration) configuration, client);
        factory.afterPropertiesSet();
        factory.start();
    }

    public static RedisClient of(int port) {
        return new RedisClient(new RedisStandaloneConfiguration("127.0.0.1", port));
    }

    static RedisClient of(RedisContainer server) {
        return new RedisClient(new RedisStandaloneConfiguration(server.host(), server.port()));
    }

    public static RedisClient of(RedisSentinels sentinels) {
        return new RedisClient(configuration(sentinels));
    }

    static RedisSentinelConfiguration configuration(RedisSentinels sentinels) {
        RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master(RedisSentinels.MASTER_NAME);
        sentinels.sentinelPorts().forEach(port -> configuration.sentinel("127.0.0.1", port));
        return configuration;
    }

    public static RedisClient of(RedisCluster cluster) {
        RedisClusterConfiguration configuration = new RedisClusterConfiguration();
        for (RedisServer node : cluster.nodes()) {
            configuration.clusterNode(node.host(), node.port());
        }
        return new RedisClient(configuration);
    }

    public LettuceConnectionFactory factory() {
        return factory;
    }

    @Override
    public void close() {
        factory.destroy();
        resources.shutdown();
    }
}
