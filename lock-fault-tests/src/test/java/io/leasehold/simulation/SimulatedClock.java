package io.leasehold.simulation;

import io.leasehold.support.Ticker;
import java.util.concurrent.TimeUnit;

/**
 * The clocks of a machine. The monotonic one has a speed of its own and stands still while the machine is suspended; the
 * time of day goes on then, and is corrected now and then.
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
     * A clock.
     *
     * @param speed how many seconds it shows in a true one
     * @param first what it shows at the beginning
     * @param whenRead is called before each reading of the monotonic clock, and may let time pass
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

    /** What {@link #nanos} would say, for those who only watch. */
    long peek() {
        long stillToStand = Math.max(0, suspendedUntil - simulation.now());
        return first + (long) ((simulation.now() + stillToStand) * speed) - suspended;
    }

    /** How long it truly takes until this clock has gone on by so much. */
    long trueNanos(long nanos) {
        return (long) Math.ceil(nanos / speed) + 1;
    }

    /** When this clock showed something, in true time; wrong by the time that it has been suspended since. */
    long trueTimeOf(long nanos) {
        return simulation.now() - trueNanos(peek() - nanos);
    }

    /** The monotonic clock stands still for so long. */
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

    /** Sets the time of day back. A machine cannot tell that from a suspension that was shorter by so much. */
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
