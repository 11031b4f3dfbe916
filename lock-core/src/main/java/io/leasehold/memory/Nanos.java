package io.leasehold.memory;

import java.time.Duration;

/** Durations as nanoseconds that can be added to a clock without overflow. */
final class Nanos {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 4);

    private Nanos() {}

    static long of(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : duration.toNanos();
    }
}
