package io.leasehold.metrics;

import io.leasehold.LockListener.AcquireOutcome;
import io.leasehold.LockListener.RenewOutcome;
import io.leasehold.LockerRegistry;
import io.leasehold.LockerStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The meters of one locker, looked up once. All are registered from the start, so that counters begin at zero. */
final class LockerMeters {

    private final Map<AcquireOutcome, Timer> acquire = new EnumMap<>(AcquireOutcome.class);

    private final Map<RenewOutcome, Counter> renew = new EnumMap<>(RenewOutcome.class);

    private final Timer hold;

    private final Counter lost;

    private final Counter handover;

    private final Tags tags;

    LockerMeters(String locker, String backend, LockerRegistry lockers, MeterRegistry meters, SharedMeters gauges) {
        this.tags = Tags.of(LockMeters.LOCKER, locker, LockMeters.BACKEND, backend);
        for (AcquireOutcome outcome : AcquireOutcome.values()) {
            acquire.put(outcome, timer(LockMeters.ACQUIRE, tags.and(LockMeters.OUTCOME, tag(outcome)), meters));
        }
        for (RenewOutcome outcome : RenewOutcome.values()) {
            renew.put(outcome, counter(LockMeters.RENEW, tags.and(LockMeters.OUTCOME, tag(outcome)), meters));
        }
        this.hold = timer(LockMeters.HOLD, tags, meters);
        this.lost = counter(LockMeters.LOST, tags, meters);
        this.handover = counter(LockMeters.HANDOVER, tags, meters);
        Status status = new Status(locker, lockers);
        gauge(LockMeters.HELD, status, now -> now.held().size(), gauges);
        gauge(LockMeters.WAITING, status, LockerStatus::waiting, gauges);
        gauge(LockMeters.REAPER_PENDING, status, LockerStatus::pendingRemovals, gauges);
        timeGauge(LockMeters.OLDEST_HOLD, status, now -> seconds(now.oldestHold(), 0), gauges);
        timeGauge(LockMeters.LONGEST_WAIT, status, now -> seconds(now.longestWait(), 0), gauges);
        timeGauge(LockMeters.REMAINING, status, now -> seconds(now.leastRemaining(), Double.NaN), gauges);
    }

    /** Removes the meters of a locker that does not exist any more. Another context may have a locker of that name. */
    void remove(MeterRegistry meters, SharedMeters gauges) {
        if (!gauges.remove(tags)) {
            acquire.values().forEach(meters::remove);
            renew.values().forEach(meters::remove);
            meters.remove(hold);
            meters.remove(lost);
            meters.remove(handover);
        }
    }

    Timer acquire(AcquireOutcome outcome) {
        return Objects.requireNonNull(acquire.get(outcome));
    }

    Counter renew(RenewOutcome outcome) {
        return Objects.requireNonNull(renew.get(outcome));
    }

    Timer hold() {
        return hold;
    }

    Counter lost() {
        return lost;
    }

    Counter handover() {
        return handover;
    }

    private static double seconds(Optional<Duration> time, double none) {
        return time.map(Duration::toNanos).map(nanos -> nanos / 1e9).orElse(none);
    }

    private static String tag(Enum<?> outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    private static Timer timer(LockMeters meter, Tags tags, MeterRegistry meters) {
        return Timer.builder(meter.meterName())
                .description(meter.description())
                .tags(tags)
                .register(meters);
    }

    private static Counter counter(LockMeters meter, Tags tags, MeterRegistry meters) {
        return Counter.builder(meter.meterName())
                .description(meter.description())
                .tags(tags)
                .register(meters);
    }

    private void gauge(LockMeters meter, Status status, ToDoubleFunction<LockerStatus> value, SharedMeters gauges) {
        gauges.add(
                tags,
                meter,
                tags,
                Gauge.builder(meter.meterName(), status, source -> source.read(value))
                        .description(meter.description())
                        .tags(tags)
                        .strongReference(true)::register);
    }

    private void timeGauge(
            LockMeters meter, Status status, ToDoubleFunction<LockerStatus> seconds, SharedMeters gauges) {
        gauges.add(
                tags,
                meter,
                tags,
                TimeGauge.builder(meter.meterName(), status, TimeUnit.SECONDS, source -> source.read(seconds))
                        .description(meter.description())
                        .tags(tags)
                        .strongReference(true)::register);
    }

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
