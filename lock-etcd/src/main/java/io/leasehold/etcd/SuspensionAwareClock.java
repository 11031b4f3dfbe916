package io.leasehold.etcd;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A monotonic clock that does not stand still while the machine is suspended. It also advances when the time of day
 * moves further than the monotonic clock (rules.md R3). If the time of day is set forward, the clock runs ahead, and
 * leases count as older than they are. A time of day that is set back changes nothing.
 */
final class SuspensionAwareClock implements LongSupplier {

    /** More than the time between two readings of one clock each, and less than any suspension. */
    private static final long LEAST_SUSPENSION = TimeUnit.MILLISECONDS.toNanos(100);

    private final LongSupplier nanoTime;

    private final InstantSource wallClock;

    /** How far the time of day was ahead of the monotonic clock when both were read last. */
    private long ahead;

    private long suspended;

    SuspensionAwareClock(LongSupplier nanoTime, InstantSource wallClock) {
        this.nanoTime = nanoTime;
        this.wallClock = wallClock;
        this.ahead = aheadOf(nanoTime.getAsLong());
    }

    @Override
    public synchronized long getAsLong() {
        long nanos = nanoTime.getAsLong();
        long change = aheadOf(nanos) - ahead;
        if (change > LEAST_SUSPENSION) {
            suspended += change;
        }
        // Small advances are not taken over, so that many of them together count as well.
        if (change > LEAST_SUSPENSION || change < 0) {
            ahead += change;
        }
        return nanos + suspended;
    }

    private long aheadOf(long nanos) {
        return TimeUnit.MILLISECONDS.toNanos(wallClock.millis()) - nanos;
    }
}
