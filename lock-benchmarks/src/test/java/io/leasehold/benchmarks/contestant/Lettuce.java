package io.leasehold.benchmarks.contestant;

import java.net.URI;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connections as Spring Boot makes them without further settings. */
final class Lettuce {

    private Lettuce() {}

    static LettuceConnectionFactory factory(String store) {
        URI uri = URI.create(store);
        LettuceConnectionFactory factory = new LettuceConnectionFactory(uri.getHost(), uri.getPort());
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }
}
