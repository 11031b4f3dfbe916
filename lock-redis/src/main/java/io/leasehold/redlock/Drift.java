package io.leasehold.redlock;

import java.time.Duration;

/**
 * By how much the clocks of two nodes may differ over the time of a lease: one hundredth and two milliseconds, as the
 * Redlock paper has it; of very short leases a tenth.
 */
final class Drift {

    private static final long FIXED_NANOS = 2_000_000;

    private Drift() {}

    static Duration of(Duration ttl) {
        Duration fixed =
                Duration.ofNanos(Math.min(FIXED_NANOS, ttl.dividedBy(10).toNanos()));
        return ttl.dividedBy(100).plus(fixed);
    }
}
