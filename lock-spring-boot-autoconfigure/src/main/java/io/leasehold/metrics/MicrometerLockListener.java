package io.leasehold.metrics;

import io.leasehold.LockAttempt;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockerRegistry;
import io.leasehold.LossReason;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

    private final SharedMeters gauges;

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
        this.gauges = new SharedMeters(meters);
    }

    /**
     * Registers all meters of a locker, so that they are visible before it is used.
     *
     * @param locker the locker's name
     */
    public void register(String locker) {
        of(locker);
    }

    /**
     * Removes all meters of a locker that was closed.
     *
     * @param locker the locker's name, which the lockers have no more
     */
    public synchronized void forget(String locker) {
        LockerMeters forgotten = byLocker.remove(locker);
        if (forgotten != null) {
            forgotten.remove(meters, gauges);
        }
    }

    @Override
    public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
        LockerMeters meter = of(attempt.locker());
        if (meter != null) {
            meter.acquire(outcome).record(waited);
            if (attempt.isHandedOver()) {
                meter.handover().increment();
            }
        }
    }

    @Override
    public void released(LockHandle handle, Duration held) {
        LockerMeters meter = of(handle.locker());
        if (meter != null) {
            meter.hold().record(held);
        }
    }

    @Override
    public void renewed(LockHandle handle, RenewOutcome outcome) {
        LockerMeters meter = of(handle.locker());
        if (meter != null) {
            meter.renew(outcome).increment();
        }
    }

    @Override
    public void lost(LockHandle handle, LossReason reason, Duration held) {
        LockerMeters meter = of(handle.locker());
        if (meter != null) {
            meter.lost().increment();
            meter.hold().record(held);
        }
    }

    /**
     * Removes the gauges, which refer to the lockers. Timers and counters keep their values, and count the last events of
     * the lockers that have some.
     */
    @Override
    public synchronized void close() {
        closed = true;
        gauges.close();
    }

    /** Null for a locker that was closed, and after the end: the last events may arrive later. */
    private @Nullable LockerMeters of(String locker) {
        LockerMeters known = byLocker.get(locker);
        return known != null ? known : create(locker);
    }

    private @Nullable LockerMeters create(String locker) {
        String backend;
        try {
            // without the monitor, because the status may create a lazy locker, whose creation may send events
            backend = lockers.status(locker).backend();
        } catch (IllegalArgumentException noSuchLocker) {
            return null;
        }
        synchronized (this) {
            LockerMeters known = byLocker.get(locker);
            if (known != null || closed || !lockers.names().contains(locker)) {
                return known;
            }
            LockerMeters created = new LockerMeters(locker, backend, lockers, meters, gauges);
            byLocker.put(locker, created);
            return created;
        }
    }
}
