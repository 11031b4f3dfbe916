package io.leasehold.benchmarks.contestant;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

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
        return start(Application.class, ttl, properties);
    }

    /** Starts the application with a registry of observations, whose predicate drops them. */
    static LockClient dropping(Duration ttl, String... properties) {
        return start(DroppingApplication.class, ttl, properties);
    }

    private static LockClient start(Class<?> application, Duration ttl, String... properties) {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(application)
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

    @Configuration(proxyBeanMethods = false)
    @Import(Application.class)
    static class DroppingApplication {

        @Bean
        ObservationRegistry observations() {
            ObservationRegistry registry = ObservationRegistry.create();
            // without a handler, the registry would not be asked
            registry.observationConfig().observationHandler(context -> true);
            registry.observationConfig().observationPredicate((name, context) -> false);
            return registry;
        }
    }
}
