package io.leasehold.engine;

import java.util.concurrent.TimeUnit;

/**
 * How long a holder may believe in a lease (RELIABILITY R1): counted from before the command was sent, and a little
 * less than the store's own count, since no two clocks run at the same speed. The allowance is that of the Redlock
 * paper, one hundredth of the ttl and two milliseconds; of very short leases it is a tenth.
 */
final class Validity {

    private static final long FIXED = TimeUnit.MILLISECONDS.toNanos(2);

    private Validity() {}

    static long end(long sentAt, long ttlNanos) {
        return sentAt + ttlNanos - allowance(ttlNanos);
    }

    static long allowance(long ttlNanos) {
        return ttlNanos / 100 + Math.min(FIXED, ttlNanos / 10);
    }
}
