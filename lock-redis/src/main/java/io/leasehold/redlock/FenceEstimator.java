package io.leasehold.redlock;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Proposes fencing tokens that every node can grant, so that a quorum agrees on them in one round trip. A proposal is
 * one round trip above the estimated clocks of the nodes. A wrong estimate only costs a second round trip.
 */
final class FenceEstimator {

    /** A new observation has the weight of one part of this many. */
    private static final int PARTS = 8;

    private final Map<Integer, Long> aheadMicros = new HashMap<>();

    private long roundTripNanos;

    /** Returns a proposal for the given time, or zero for none before any node has answered. */
    synchronized long next(long nanos) {
        if (aheadMicros.isEmpty()) {
            return 0;
        }
        long ahead =
                aheadMicros.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        return micros(nanos) + ahead + micros(roundTripNanos);
    }

    /**
     * Records the clock of a node when it sent its answer. A late answer makes the clock look slow, so a higher
     * observation is accepted immediately and a lower one only gradually.
     */
    synchronized void observeClock(int node, long clockMicros, long nanos) {
        long observed = clockMicros - micros(nanos);
        aheadMicros.merge(node, observed, (known, seen) -> seen > known ? seen : known + (seen - known) / PARTS);
    }

    /** Records how long a quorum took to answer. A single late answer has little weight. */
    synchronized void observeRoundTrip(long nanos) {
        long most = roundTripNanos == 0 ? nanos : Math.min(nanos, 2 * roundTripNanos);
        roundTripNanos = roundTripNanos == 0 ? most : roundTripNanos + (most - roundTripNanos) / PARTS;
    }

    private static long micros(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos);
    }
}
