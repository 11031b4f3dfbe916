package io.leasehold.jdbc.table;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * Remembers for a moment which locks this process has released while another one waited for them. Its next caller could ask
 * again before the other has heard of the release, and would win each time. Locks that share a slot are taken for each
 * other, which costs one of them that moment at most.
 */
public final class HandoffGracePeriod {

    /** Long enough for a message to arrive and a statement to come back. */
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
        until.lazySet(slot(key), nanoTime.getAsLong() + MOMENT.toNanos());
    }

    /** Whether others come first. */
    boolean isDue(byte[] key) {
        return nanoTime.getAsLong() - until.get(slot(key)) < 0;
    }

    static int slot(byte[] key) {
        return (key[0] << 8 | key[1] & 0xff) & SLOTS - 1;
    }
}
