package io.leasehold.benchmarks.contestant;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * This library as applications use it: a locker of a Spring Boot application with the starter, its meters and
 * listeners, and default settings. Only the wait time is longer, so that an acquisition of a contended lock never times
 * out.
 */
final class StarterClient implements LockClient {

    private final Locker locker;

    private StarterClient(Locker locker) {
        this.locker = locker;
    }

    /**
     * Starts the application.
     *
     * @param ttl how long the store keeps a lock that its holder does not renew
     * @param properties settings of the store, as in {@code application.properties}
     */
    static LockClient start(Duration ttl, String... properties) {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties("lock.defaults.ttl=" + ttl.toMillis() + "ms", "lock.defaults.wait-time=5m")
                .properties(properties)
                .run();
        return new StarterClient(context.getBean(Locker.class));
    }

    @Override
    public Hold acquire(String key) {
        LockHandle handle = locker.lock(key);
        return () -> {
            if (!handle.release()) {
                throw new IllegalStateException(handle + " was lost");
            }
        };
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }
}
