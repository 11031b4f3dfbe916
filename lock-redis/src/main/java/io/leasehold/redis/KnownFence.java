package io.leasehold.redis;

import io.leasehold.spi.LockId;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What is known here of a lock's fencing counter since a script granted the lock here, which compared it with the server's
 * clock.
 *
 * @param id the lock
 * @param last what the counter was when it was last heard of
 * @param clock a time of the server in microseconds, not later than at {@code seen}
 * @param seen a time here in nanoseconds of a monotonic clock
 * @param again whether the lock was granted here again since, without a script
 * @param free whether it was given back here since its last grant, so that it may be free
 */
record KnownFence(LockId id, long last, long clock, long seen, boolean again, boolean free) {

    /** For how long the clocks here and there are taken to run alike. */
    static final Duration LIFETIME = Duration.ofSeconds(10);

    /**
     * How far the counter may be from the server's clock. A script lets one that is behind catch up, and keeps one that is
     * ahead for longer than it is ahead.
     */
    private static final Duration LARGEST_DIFFERENCE = Duration.ofMillis(50);

    /** What is known after a grant by a script that was asked for within a moment. */
    static KnownFence granted(LockId id, long last, long clock, long nanoTime) {
        return new KnownFence(id, last, clock, nanoTime, false, false);
    }

    /** Whether the lock may be granted without a script. */
    boolean canBeRaised(long nanoTime) {
        long since = nanoTime - seen;
        long lag = clock + since / 1_000 - last;
        return free
                && since < LIFETIME.toNanos()
                && Math.abs(lag) < TimeUnit.NANOSECONDS.toMicros(LARGEST_DIFFERENCE.toNanos());
    }

    KnownFence raised(int fences) {
        return new KnownFence(id, last + fences, clock, seen, true, false);
    }

    KnownFence givenBack() {
        return new KnownFence(id, last, clock, seen, again, true);
    }
}
