package io.leasehold.autoconfigure.jdbc;

import io.leasehold.jdbc.JdbcLoad;
import io.leasehold.jdbc.JdbcLockBackend;
import io.leasehold.jdbc.JdbcMonitored;
import io.leasehold.metrics.LockMeters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The meters of the connections of locks in databases. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JdbcLockBackend.class)
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

        private final MeterRegistry meters;

        /** By the name of the backend, without those of another context for a backend of the same name. */
        private final Map<String, List<Meter>> registered = new ConcurrentHashMap<>();

        JdbcLockMeters(MeterRegistry meters) {
            this.meters = meters;
        }

        @Override
        public void created(String name, JdbcMonitored backend) {
            Tags tags = Tags.of(LockMeters.BACKEND, name);
            // a registry would return the meters of the backend that was closed when the application was stopped
            registered.getOrDefault(name, List.of()).forEach(meters::remove);
            List<Meter> own = new ArrayList<>();
            registered.put(name, own);
            gauge(own, LockMeters.JDBC_QUEUED, tags, backend, JdbcLoad::queued);
            gauge(own, LockMeters.JDBC_ACTIVE, tags, backend, JdbcLoad::active);
            gauge(own, LockMeters.JDBC_CONNECTIONS, tags, backend, JdbcLoad::connections);
            ended(own, "not_sent", tags, backend, JdbcLoad::notSent);
            ended(own, "not_answered", tags, backend, JdbcLoad::notAnswered);
            backend.publishPoolMeters(meters);
        }

        @Override
        public void close() {
            registered.values().forEach(backend -> backend.forEach(meters::remove));
            registered.clear();
        }

        private void gauge(
                List<Meter> own, LockMeters meter, Tags tags, JdbcMonitored backend, ToDoubleFunction<JdbcLoad> value) {
            if (isFree(meter, tags)) {
                own.add(Gauge.builder(meter.meterName(), backend, source -> value.applyAsDouble(source.load()))
                        .description(meter.description())
                        .tags(tags)
                        .strongReference(true)
                        .register(meters));
            }
        }

        private void ended(
                List<Meter> own, String outcome, Tags tags, JdbcMonitored backend, ToDoubleFunction<JdbcLoad> value) {
            LockMeters meter = LockMeters.JDBC_ENDED;
            Tags withOutcome = tags.and(LockMeters.OUTCOME, outcome);
            if (isFree(meter, withOutcome)) {
                own.add(FunctionCounter.builder(
                                meter.meterName(), backend, source -> value.applyAsDouble(source.load()))
                        .description(meter.description())
                        .tags(withOutcome)
                        .register(meters));
            }
        }

        /** Whether no other context of the application has registered the meter, which it will also remove. */
        private boolean isFree(LockMeters meter, Tags tags) {
            return meters.find(meter.meterName()).tags(tags).meter() == null;
        }
    }
}
