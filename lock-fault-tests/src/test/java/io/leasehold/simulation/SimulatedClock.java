package io.leasehold.simulation;

import io.leasehold.support.Ticker;
import java.util.concurrent.TimeUnit;

/**
 * The clocks of a machine. The monotonic clock has a speed of its own and stops while the machine is suspended. The
 * time of day continues during a suspension and is corrected occasionally.
 */
final class SimulatedClock implements Ticker {

    private static final long MILLIS_AT_BEGIN = 1_790_000_000_000L;

    private final Simulation simulation;

    private final double speed;

    private final long first;

    private final Runnable whenRead;

    private long suspended;

    private long suspendedUntil;

    private long corrected;

    /**
     * Creates a clock.
     *
     * @param speed the number of its seconds per true second
     * @param first its value at the beginning
     * @param whenRead called before each reading of the monotonic clock; may advance the time
     */
    SimulatedClock(Simulation simulation, double speed, long first, Runnable whenRead) {
        this.simulation = simulation;
        this.speed = speed;
        this.first = first;
        this.whenRead = whenRead;
    }

    @Override
    public long nanos() {
        whenRead.run();
        return peek();
    }

    @Override
    public long wallMillis() {
        return TimeUnit.NANOSECONDS.toMillis(wallNanos()) + MILLIS_AT_BEGIN;
    }

    long wallMicros() {
        return TimeUnit.NANOSECONDS.toMicros(wallNanos()) + MILLIS_AT_BEGIN * 1_000;
    }

    /** The value that {@link #nanos} would return, without its side effect. */
    long peek() {
        long stillToStand = Math.max(0, suspendedUntil - simulation.now());
        return first + (long) ((simulation.now() + stillToStand) * speed) - suspended;
    }

    /** Returns the true time in which this clock advances by the given time. */
    long trueNanos(long nanos) {
        return (long) Math.ceil(nanos / speed) + 1;
    }

    /**
     * Returns the true time of a value of this clock. The result is wrong by the time for which the clock has been
     * suspended since.
     */
    long trueTimeOf(long nanos) {
        return simulation.now() - trueNanos(peek() - nanos);
    }

    /** Stops the monotonic clock for the given time. */
    void suspend(long nanos) {
        suspended += (long) (nanos * speed);
        suspendedUntil = simulation.now() + nanos;
    }

    boolean isSuspended() {
        return simulation.now() < suspendedUntil;
    }

    /** Corrects the time of day. */
    void correct(long nanos) {
        corrected += nanos;
    }

    /**
     * Sets the time of day back. A machine cannot tell this apart from a suspension that was shorter by the same time.
     */
    void setBack(long nanos) {
        corrected -= nanos;
    }

    private long passed() {
        return (long) (simulation.now() * speed);
    }

    private long wallNanos() {
        return passed() + corrected;
    }
}
