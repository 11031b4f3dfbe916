package io.leasehold.backend.memory;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Mints fencing tokens: each block begins at the time in microseconds since 1970, or right after the block before where
 * that is further on. One counter serves all keys, so none has to be remembered for a key that nobody wants.
 */
final class FenceMint {

    private final LongSupplier nanoTime;

    private final long startNanos;

    private final long startMicros;

    private final AtomicLong next = new AtomicLong();

    FenceMint(LongSupplier nanoTime, InstantSource wallClock) {
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
        this.startMicros = ChronoUnit.MICROS.between(Instant.EPOCH, wallClock.instant());
    }

    long reserve(int count) {
        long now = startMicros + (nanoTime.getAsLong() - startNanos) / 1_000;
        return Math.max(now, next.getAndUpdate(known -> Math.max(known, now) + count));
    }
}
