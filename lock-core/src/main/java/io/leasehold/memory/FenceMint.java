package io.leasehold.memory;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Mints fencing tokens: each block begins at the time in nanoseconds since 1970, or right after the block before where
 * that is further on. One counter serves all keys, so none has to be remembered for a key that nobody wants. No process
 * grants locks so fast that the tokens overtake nanoseconds; so those of its next run are greater, unless the wall clock
 * was set back.
 */
final class FenceMint {

    private final LongSupplier nanoTime;

    private final long startNanos;

    private final long startedAt;

    private final AtomicLong next = new AtomicLong();

    FenceMint(LongSupplier nanoTime, InstantSource wallClock) {
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
        this.startedAt = ChronoUnit.NANOS.between(Instant.EPOCH, wallClock.instant());
    }

    long reserve(int count) {
        long now = startedAt + nanoTime.getAsLong() - startNanos;
        return Math.max(now, next.getAndUpdate(known -> Math.max(known, now) + count));
    }
}
