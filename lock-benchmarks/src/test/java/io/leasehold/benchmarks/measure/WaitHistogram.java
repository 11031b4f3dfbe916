package io.leasehold.benchmarks.measure;

import java.io.Serializable;

/**
 * A histogram of durations, precise to two per cent and up to a quarter of an hour. The longest duration is kept
 * exactly. One thread at a time may use it.
 */
public final class WaitHistogram implements Serializable {

    private static final long serialVersionUID = 1;

    private static final int STEP_BITS = 6;

    private static final int STEPS = 1 << STEP_BITS;

    private static final int HIGHEST_BIT = 40;

    private final long[] counts = new long[(HIGHEST_BIT - STEP_BITS + 2) * STEPS];

    private long count;

    private long max;

    /**
     * Counts a duration.
     *
     * @param nanos the duration; a negative one counts as zero
     */
    public void record(long nanos) {
        long value = Math.max(0, nanos);
        counts[bucket(value)]++;
        count++;
        max = Math.max(max, value);
    }

    /**
     * Adds all durations of another histogram.
     *
     * @param other the other histogram
     */
    public void add(WaitHistogram other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        count += other.count;
        max = Math.max(max, other.max);
    }

    /** The number of durations. */
    public long count() {
        return count;
    }

    /** The longest duration in nanoseconds, 0 if there is none. */
    public long max() {
        return max;
    }

    /**
     * The duration that the given share of all durations does not exceed.
     *
     * @param share such as 0.99
     * @return nanoseconds, 0 if nothing was counted
     */
    public long quantile(double share) {
        long wanted = Math.max(1, (long) Math.ceil(share * count));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= wanted) {
                return Math.min(highest(i), max);
            }
        }
        return 0;
    }

    private static int bucket(long value) {
        if (value < STEPS) {
            return (int) value;
        }
        int shift = Math.min(63 - Long.numberOfLeadingZeros(value), HIGHEST_BIT) - STEP_BITS;
        int step = (int) Math.min(value >> shift, 2 * STEPS - 1);
        return shift * STEPS + step;
    }

    private static long highest(int bucket) {
        if (bucket < 2 * STEPS) {
            return bucket;
        }
        int shift = bucket / STEPS - 1;
        long step = bucket % STEPS + STEPS;
        return ((step + 1) << shift) - 1;
    }
}
