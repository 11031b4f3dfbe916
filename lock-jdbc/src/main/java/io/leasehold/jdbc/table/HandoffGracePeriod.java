package io.leasehold.jdbc.table;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * Remembers for a short time which locks this process has released while another process waited for them. Without it,
 * the next caller of this process could acquire the lock before the other process is notified of the release, and would
 * win each time. Locks that share a slot are treated as one, which delays one of them by at most that time.
 */
public final class HandoffGracePeriod {

    /** Long enough for a notification to arrive and a statement to return. */
    static final Duration MOMENT = Duration.ofMillis(3);

    private static final int SLOTS = 1024;

    private final LongSupplier nanoTime;

    private final AtomicLongArray until = new AtomicLongArray(SLOTS);

    public HandoffGracePeriod(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        for (int slot = 0; slot < SLOTS; slot++) {
            until.set(slot, nanoTime.getAsLong());
        }
    }

    void released(byte[] key) {
        // No ordering is needed: a late read only lets this process acquire before the others once.
        until.lazySet(slot(key), nanoTime.getAsLong() + MOMENT.toNanos());
    }

    /** Whether waiters of other processes have precedence. */
    boolean isDue(byte[] key) {
        return nanoTime.getAsLong() - until.get(slot(key)) < 0;
    }

    static int slot(byte[] key) {
        return (key[0] << 8 | key[1] & 0xff) & SLOTS - 1;
    }
}
