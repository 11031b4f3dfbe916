package io.leasehold.faults;

import io.lettuce.core.internal.HostAndPort;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DnsResolvers;
import io.lettuce.core.resource.MappingSocketAddressResolver;
import java.util.List;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The connections of a process to servers whose addresses other servers announce, such as sentinels or cluster nodes.
 * The process reaches each announced address through its own proxies.
 *
 * @param real the ports of the servers
 * @param seen the ports under which the process reaches them, in the same order
 */
record ProxiedNodes(List<Integer> real, List<Integer> seen) {

    LettuceConnectionFactory connect(RedisConfiguration configuration, ClientResources resources) {
        LettuceClientConfiguration client =
                LettuceClientConfiguration.builder().clientResources(resources).build();
        LettuceConnectionFactory factory = configuration instanceof RedisClusterConfiguration cluster
                ? new LettuceConnectionFactory(cluster, client)
                : new LettuceConnectionFactory((RedisSentinelConfiguration) configuration, client);
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    ClientResources resources() {
        return ClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .socketAddressResolver(MappingSocketAddressResolver.create(DnsResolvers.UNRESOLVED, this::mapped))
                .build();
    }

    private HostAndPort mapped(HostAndPort told) {
        int index = real.indexOf(told.getPort());
        return index < 0 ? told : HostAndPort.of(told.getHostText(), seen.get(index));
    }
}
