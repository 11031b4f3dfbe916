package io.leasehold.redlock;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Proposes fencing tokens that every node can grant, so that a quorum agrees on them in one round trip. A proposal lies
 * one round trip above what the clocks of the nodes are guessed to show. A guess that is wrong costs a second round trip
 * and nothing else.
 */
final class FenceEstimator {

    /** The weight of a new observation is one of this many resources. */
    private static final int PARTS = 8;

    private final Map<Integer, Long> aheadMicros = new HashMap<>();

    private long roundTripNanos;

    /** A proposal for now; zero, which is none, before any node has answered. */
    synchronized long next(long nanos) {
        if (aheadMicros.isEmpty()) {
            return 0;
        }
        long ahead =
                aheadMicros.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        return micros(nanos) + ahead + micros(roundTripNanos);
    }

    /** A node's clock, as it was when its answer left it; what comes late looks slow, so more is believed at once. */
    synchronized void observeClock(int node, long clockMicros, long nanos) {
        long observed = clockMicros - micros(nanos);
        aheadMicros.merge(node, observed, (known, seen) -> seen > known ? seen : known + (seen - known) / PARTS);
    }

    /** How long a quorum took to answer; a single late answer does not count for much. */
    synchronized void observeRoundTrip(long nanos) {
        long most = roundTripNanos == 0 ? nanos : Math.min(nanos, 2 * roundTripNanos);
        roundTripNanos = roundTripNanos == 0 ? most : roundTripNanos + (most - roundTripNanos) / PARTS;
    }

    private static long micros(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos);
    }
}
