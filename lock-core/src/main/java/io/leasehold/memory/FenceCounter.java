package io.leasehold.memory;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Counts fencing tokens. Each reserved block starts at the time in nanoseconds since 1970, or immediately after the
 * previous block if that is later. One counter serves all keys, so no counter has to be kept for unused keys. No
 * process grants locks fast enough to overtake the clock. The tokens of its next run are therefore greater, unless
 * the wall clock was set back.
 */
final class FenceCounter {

    private final LongSupplier nanoTime;

    private final long startNanos;

    private final long startedAt;

    private final AtomicLong next = new AtomicLong();

    FenceCounter(LongSupplier nanoTime, InstantSource wallClock) {
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
        this.startedAt = ChronoUnit.NANOS.between(Instant.EPOCH, wallClock.instant());
    }

    long reserve(int count) {
        long now = startedAt + nanoTime.getAsLong() - startNanos;
        return Math.max(now, next.getAndUpdate(known -> Math.max(known, now) + count));
    }
}
