package io.leasehold.benchmarks.contestant;

import io.lettuce.core.resource.ClientResources;
import java.net.URI;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connections as Spring Boot creates them without further settings, with the client resources of the application. */
final class Lettuce {

    private static final ClientResources RESOURCES = ClientResources.create();

    private Lettuce() {}

    static LettuceConnectionFactory factory(String store) {
        URI uri = URI.create(store);
        LettuceConnectionFactory factory = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration(uri.getHost(), uri.getPort()),
                LettuceClientConfiguration.builder().clientResources(RESOURCES).build());
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }
}
