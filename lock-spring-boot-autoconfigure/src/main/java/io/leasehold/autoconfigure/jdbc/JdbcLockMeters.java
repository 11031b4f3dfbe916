package io.leasehold.autoconfigure.jdbc;

import io.leasehold.jdbc.JdbcLoad;
import io.leasehold.jdbc.JdbcMonitored;
import io.leasehold.metrics.LockMeters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * Meters how busy the connections of locks in databases are. A registry may outlive the application context;
 * {@link #close} removes the meters, and the pool removes its own when it is closed.
 */
final class JdbcLockMeters implements JdbcBackendObserver, AutoCloseable {

    private final MeterRegistry meters;

    /** By the name of the backend. */
    private final Map<String, List<Meter>> registered = new ConcurrentHashMap<>();

    JdbcLockMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void created(String name, JdbcMonitored backend) {
        Tags tags = Tags.of(LockMeters.BACKEND, name);
        // a registry would return the meters of the backend that was closed when the application was stopped
        registered.getOrDefault(name, List.of()).forEach(meters::remove);
        registered.put(
                name,
                List.of(
                        gauge(LockMeters.JDBC_QUEUED, tags, backend, JdbcLoad::queued),
                        gauge(LockMeters.JDBC_ACTIVE, tags, backend, JdbcLoad::active),
                        gauge(LockMeters.JDBC_CONNECTIONS, tags, backend, JdbcLoad::connections),
                        ended("not_sent", tags, backend, JdbcLoad::notSent),
                        ended("not_answered", tags, backend, JdbcLoad::notAnswered)));
        backend.publishPoolMeters(meters);
    }

    @Override
    public void close() {
        registered.values().forEach(backend -> backend.forEach(meters::remove));
        registered.clear();
    }

    private Meter gauge(LockMeters meter, Tags tags, JdbcMonitored backend, ToDoubleFunction<JdbcLoad> value) {
        return Gauge.builder(meter.meterName(), backend, source -> value.applyAsDouble(source.load()))
                .description(meter.description())
                .tags(tags)
                .strongReference(true)
                .register(meters);
    }

    private Meter ended(String outcome, Tags tags, JdbcMonitored backend, ToDoubleFunction<JdbcLoad> value) {
        LockMeters meter = LockMeters.JDBC_ENDED;
        return FunctionCounter.builder(meter.meterName(), backend, source -> value.applyAsDouble(source.load()))
                .description(meter.description())
                .tags(tags.and(LockMeters.OUTCOME, outcome))
                .register(meters);
    }
}
