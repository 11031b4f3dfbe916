package io.leasehold.autoconfigure.jdbc;

import io.leasehold.jdbc.JdbcLoad;
import io.leasehold.jdbc.JdbcLockBackend;
import io.leasehold.jdbc.JdbcMonitored;
import io.leasehold.metrics.LockMeters;
import io.leasehold.metrics.SharedMeters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.ToDoubleFunction;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The meters of the connections of locks in databases. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JdbcLockBackend.class)
@ConditionalOnBean(MeterRegistry.class)
public class JdbcLockMetersConfiguration {

    @Bean
    JdbcLockMeters leaseholdJdbcMeters(MeterRegistry meters) {
        return new JdbcLockMeters(meters);
    }

    /**
     * Meters how busy the connections of locks in databases are. A registry may outlive the application context;
     * {@link #close} removes the meters, and the pool removes its own when it is closed.
     */
    static final class JdbcLockMeters implements JdbcBackendObserver, AutoCloseable {

        private final MeterRegistry registry;

        private final SharedMeters meters;

        JdbcLockMeters(MeterRegistry registry) {
            this.registry = registry;
            this.meters = new SharedMeters(registry);
        }

        @Override
        public void created(String name, JdbcMonitored backend) {
            Tags tags = Tags.of(LockMeters.BACKEND, name);
            // a registry would return the meters of the backend that was closed when the application was stopped
            meters.remove(tags);
            gauge(LockMeters.JDBC_QUEUED, tags, backend, JdbcLoad::queued);
            gauge(LockMeters.JDBC_ACTIVE, tags, backend, JdbcLoad::active);
            gauge(LockMeters.JDBC_CONNECTIONS, tags, backend, JdbcLoad::connections);
            ended("not_sent", tags, backend, JdbcLoad::notSent);
            ended("not_answered", tags, backend, JdbcLoad::notAnswered);
            backend.publishPoolMeters(registry);
        }

        @Override
        public void close() {
            meters.close();
        }

        private void gauge(LockMeters meter, Tags tags, JdbcMonitored backend, ToDoubleFunction<JdbcLoad> value) {
            meters.add(
                    tags,
                    meter,
                    tags,
                    Gauge.builder(meter.meterName(), backend, source -> value.applyAsDouble(source.load()))
                            .description(meter.description())
                            .tags(tags)
                            .strongReference(true)::register);
        }

        private void ended(String outcome, Tags tags, JdbcMonitored backend, ToDoubleFunction<JdbcLoad> value) {
            LockMeters meter = LockMeters.JDBC_ENDED;
            Tags withOutcome = tags.and(LockMeters.OUTCOME, outcome);
            meters.add(
                    tags,
                    meter,
                    withOutcome,
                    FunctionCounter.builder(meter.meterName(), backend, source -> value.applyAsDouble(source.load()))
                            .description(meter.description())
                            .tags(withOutcome)::register);
        }
    }
}
