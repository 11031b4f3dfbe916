package io.leasehold.metrics;

import io.leasehold.LockAttempt;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockerRegistry;
import io.leasehold.LockerStatus;
import io.leasehold.LossReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Feeds the {@link LockMeters}. A call costs one look-up in a map and the meter itself.
 *
 * <p>A registry may outlive the application context whose lockers its gauges read. {@link #close()} removes these
 * gauges, so that the registry does not keep the context in memory.
 */
public final class MicrometerLockListener implements LockListener, AutoCloseable {

    private final Map<String, LockerMeters> byLocker = new ConcurrentHashMap<>();

    private final MeterRegistry meters;

    private final LockerRegistry lockers;

    private final SharedMeters shared;

    private boolean closed;

    /**
     * Creates the listener.
     *
     * @param meters where to register the meters
     * @param lockers the lockers whose state the gauges read
     */
    public MicrometerLockListener(MeterRegistry meters, LockerRegistry lockers) {
        this.meters = meters;
        this.lockers = lockers;
        this.shared = new SharedMeters(meters);
    }

    /** Registers all meters of a locker, so that they are visible before it is used. */
    public void register(String locker) {
        of(locker);
    }

    /** Removes all meters of a locker that was closed, and that the lockers do not have any more. */
    public synchronized void forget(String locker) {
        LockerMeters forgotten = byLocker.remove(locker);
        if (forgotten != null) {
            shared.remove(forgotten.tags);
        }
    }

    @Override
    public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
        LockerMeters meter = of(attempt.locker());
        if (meter != null) {
            Objects.requireNonNull(meter.acquire.get(outcome)).record(waited);
            if (attempt.isHandedOver()) {
                meter.handover.increment();
            }
        }
    }

    @Override
    public void released(LockHandle handle, Duration held) {
        LockerMeters meter = of(handle.locker());
        if (meter != null) {
            meter.hold.record(held);
        }
    }

    @Override
    public void renewed(LockHandle handle, RenewOutcome outcome) {
        LockerMeters meter = of(handle.locker());
        if (meter != null) {
            Objects.requireNonNull(meter.renew.get(outcome)).increment();
        }
    }

    @Override
    public void lost(LockHandle handle, LossReason reason, Duration held) {
        LockerMeters meter = of(handle.locker());
        if (meter != null) {
            meter.lost.increment();
            meter.hold.record(held);
        }
    }

    /**
     * Removes the gauges, which refer to the lockers. Timers and counters keep their values, and count the last events of
     * the lockers that have some.
     */
    @Override
    public synchronized void close() {
        closed = true;
        shared.close();
    }

    /** Null for a locker that was closed, and after the end: the last events may arrive later. */
    private @Nullable LockerMeters of(String locker) {
        LockerMeters known = byLocker.get(locker);
        return known != null ? known : create(locker);
    }

    private @Nullable LockerMeters create(String locker) {
        LockerStatus status;
        try {
            // without the monitor, because the status may create a lazy locker, whose creation may send events
            status = lockers.status(locker);
        } catch (IllegalArgumentException noSuchLocker) {
            return null;
        }
        if (status == null) {
            // the registry is a mock of a test
            return null;
        }
        synchronized (this) {
            LockerMeters known = byLocker.get(locker);
            if (known != null || closed || !lockers.names().contains(locker)) {
                return known;
            }
            Tags tags = Tags.of(LockMeters.LOCKER, locker, LockMeters.BACKEND, status.backend());
            try {
                LockerMeters created = new LockerMeters(locker, tags);
                byLocker.put(locker, created);
                return created;
            } catch (Throwable refused) {
                // the next event tries again
                shared.remove(tags);
                throw refused;
            }
        }
    }

    /** The meters of one locker, looked up once. All are registered from the start, so that counters begin at zero. */
    private final class LockerMeters {

        private final Map<AcquireOutcome, Timer> acquire = new EnumMap<>(AcquireOutcome.class);

        private final Map<RenewOutcome, Counter> renew = new EnumMap<>(RenewOutcome.class);

        private final Timer hold;

        private final Counter lost;

        private final Counter handover;

        private final Status status;

        private final Tags tags;

        LockerMeters(String locker, Tags tags) {
            this.status = new Status(locker, lockers);
            this.tags = tags;
            for (AcquireOutcome outcome : AcquireOutcome.values()) {
                acquire.put(outcome, timer(LockMeters.ACQUIRE, tags.and(LockMeters.OUTCOME, tag(outcome))));
            }
            for (RenewOutcome outcome : RenewOutcome.values()) {
                renew.put(outcome, counter(LockMeters.RENEW, tags.and(LockMeters.OUTCOME, tag(outcome))));
            }
            this.hold = timer(LockMeters.HOLD, tags);
            this.lost = counter(LockMeters.LOST, tags);
            this.handover = counter(LockMeters.HANDOVER, tags);
            gauge(LockMeters.HELD, now -> now.held().size());
            gauge(LockMeters.WAITING, LockerStatus::waiting);
            gauge(LockMeters.REAPER_PENDING, LockerStatus::pendingRemovals);
            timeGauge(LockMeters.OLDEST_HOLD, now -> seconds(now.oldestHold(), 0));
            timeGauge(LockMeters.LONGEST_WAIT, now -> seconds(now.longestWait(), 0));
            timeGauge(LockMeters.REMAINING, now -> seconds(now.leastRemaining(), Double.NaN));
            shared.keep(
                    tags,
                    Stream.of(acquire.values(), renew.values(), List.of(hold, lost, handover))
                            .flatMap(Collection::stream)
                            .map(Meter.class::cast)
                            .toList());
        }

        /** Static, because the gauges must not keep this listener in memory. */
        private static double seconds(Optional<Duration> time, double none) {
            return time.map(Duration::toNanos).map(nanos -> nanos / 1e9).orElse(none);
        }

        private String tag(Enum<?> outcome) {
            return outcome.name().toLowerCase(Locale.ROOT);
        }

        private Timer timer(LockMeters meter, Tags tags) {
            return Timer.builder(meter.meterName())
                    .description(meter.description())
                    .tags(tags)
                    .register(meters);
        }

        private Counter counter(LockMeters meter, Tags tags) {
            return Counter.builder(meter.meterName())
                    .description(meter.description())
                    .tags(tags)
                    .register(meters);
        }

        private void gauge(LockMeters meter, ToDoubleFunction<LockerStatus> value) {
            shared.add(
                    tags,
                    meter,
                    tags,
                    Gauge.builder(meter.meterName(), status, source -> source.read(value))
                            .description(meter.description())
                            .tags(tags)
                            .strongReference(true)::register);
        }

        private void timeGauge(LockMeters meter, ToDoubleFunction<LockerStatus> seconds) {
            shared.add(
                    tags,
                    meter,
                    tags,
                    TimeGauge.builder(meter.meterName(), status, TimeUnit.SECONDS, source -> source.read(seconds))
                            .description(meter.description())
                            .tags(tags)
                            .strongReference(true)::register);
        }
    }

    /** What the gauges read. They must not keep this listener in memory. */
    private record Status(String locker, LockerRegistry lockers) {

        double read(ToDoubleFunction<LockerStatus> value) {
            try {
                return value.applyAsDouble(lockers.status(locker));
            } catch (IllegalArgumentException closed) {
                // a locker leaves the registry of lockers before its meters are removed
                return Double.NaN;
            }
        }
    }
}
