package io.leasehold.autoconfigure.jdbc;

import io.leasehold.autoconfigure.locker.BackendType;
import io.leasehold.jdbc.JdbcLoad;
import io.leasehold.jdbc.JdbcLockBackend;
import io.leasehold.metrics.LockMeters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

/**
 * Meters how busy the connections of the lease table are. A registry may outlive the application context;
 * {@link #close} removes the meters, and the pool removes its own when it is closed.
 */
final class JdbcLockMeters implements JdbcBackendObserver, AutoCloseable {

    private static final Tags TAGS = Tags.of(LockMeters.BACKEND, BackendType.JDBC.backend());

    private final MeterRegistry meters;

    private final List<Meter> registered = new CopyOnWriteArrayList<>();

    JdbcLockMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void created(JdbcLockBackend backend) {
        registered.addAll(List.of(
                gauge(LockMeters.JDBC_QUEUED, backend, JdbcLoad::queued),
                gauge(LockMeters.JDBC_ACTIVE, backend, JdbcLoad::active),
                gauge(LockMeters.JDBC_CONNECTIONS, backend, JdbcLoad::connections),
                ended("not_sent", backend, JdbcLoad::notSent),
                ended("not_answered", backend, JdbcLoad::notAnswered)));
        backend.publishPoolMeters(meters);
    }

    @Override
    public void close() {
        registered.forEach(meters::remove);
        registered.clear();
    }

    private Meter gauge(LockMeters meter, JdbcLockBackend backend, ToDoubleFunction<JdbcLoad> value) {
        return Gauge.builder(meter.meterName(), backend, source -> value.applyAsDouble(source.load()))
                .description(meter.description())
                .tags(TAGS)
                .strongReference(true)
                .register(meters);
    }

    private Meter ended(String outcome, JdbcLockBackend backend, ToDoubleFunction<JdbcLoad> value) {
        LockMeters meter = LockMeters.JDBC_ENDED;
        return FunctionCounter.builder(meter.meterName(), backend, source -> value.applyAsDouble(source.load()))
                .description(meter.description())
                .tags(TAGS.and(LockMeters.OUTCOME, outcome))
                .register(meters);
    }
}
