package io.leasehold.backend.jdbc;

import io.leasehold.spi.LockId;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * Remembers for a moment which locks this process has released. Its next caller could ask again before any other process
 * has heard of the release, and would win each time; so it leaves the lock to those who have asked to be told, if there
 * are any. Locks that share a slot are taken for each other, which costs one of them that moment.
 */
final class Courtesy {

    /** Long enough for a message to arrive and a statement to come back. */
    static final Duration MOMENT = Duration.ofMillis(3);

    private static final int SLOTS = 1024;

    private final LongSupplier nanoTime;

    private final AtomicLongArray until = new AtomicLongArray(SLOTS);

    Courtesy(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        for (int slot = 0; slot < SLOTS; slot++) {
            until.set(slot, nanoTime.getAsLong());
        }
    }

    void released(LockId id) {
        until.lazySet(slot(id), nanoTime.getAsLong() + MOMENT.toNanos());
    }

    /** Whether others come first. */
    boolean isDue(LockId id) {
        return nanoTime.getAsLong() - until.get(slot(id)) < 0;
    }

    private static int slot(LockId id) {
        int hash = id.hashCode();
        return (hash ^ hash >>> 16) & SLOTS - 1;
    }
}
