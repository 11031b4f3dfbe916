package io.leasehold.engine;

import io.leasehold.support.LeaseValidity;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * When a lease is renewed (RELIABILITY R5): arithmetic without state, in nanoseconds.
 *
 * <ol>
 *   <li>A renewal is due when a third of the ttl has passed since the store was asked and confirmed.
 *   <li>A renewal without an answer is sent again after a twelfth of the ttl at most, sooner as the end comes nearer, with
 *       jitter.
 *   <li>When two thirds of the ttl have passed without a confirmation, the lease is at risk.
 * </ol>
 */
final class RenewalSchedule {

    private static final long LEAST_RETRY = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long LONGEST_PACE = TimeUnit.SECONDS.toNanos(1);

    private static final long LEAST_SUSPENSION = TimeUnit.SECONDS.toNanos(1);

    private RenewalSchedule() {}

    /** When to renew after a confirmation; after one for longer than the ttl, when two thirds of a ttl are left. */
    static long dueAfter(LeaseValidity confirmed, long ttl) {
        return confirmed.validUntil() - ttl / 3 * 2;
    }

    /** By how much a renewal may be early, so that many leases go together in one batch. */
    static long earliness(LeaseValidity confirmed, long ttl, long now, boolean retry) {
        return retry ? longestRetryDelay(confirmed, ttl, now) / 4 : ttl / 10;
    }

    static long riskAfter(LeaseValidity confirmed, long ttl) {
        return confirmed.sentAt() + ttl / 3 * 2;
    }

    static long retryDelay(LeaseValidity confirmed, long ttl, long now, LongUnaryOperator jitter) {
        long longest = longestRetryDelay(confirmed, ttl, now);
        return longest / 2 + jitter.applyAsLong(longest / 2 + 1);
    }

    private static long longestRetryDelay(LeaseValidity confirmed, long ttl, long now) {
        return Math.max(LEAST_RETRY, Math.min(ttl / 12, (confirmed.validUntil() - now) / 4));
    }

    /** The least time between two walks of the watchdog over all leases, if the second is only for renewals. */
    static long pace(long ttl) {
        return Math.min(LONGEST_PACE, ttl / 20);
    }

    /**
     * Whether the monotonic clock seems to have stood still since the confirmation, as in a suspended machine (R3). A time of
     * day that goes back means nothing.
     */
    static boolean isSuspect(LeaseValidity confirmed, long ttl, long now, long wallMillis) {
        long wall = TimeUnit.MILLISECONDS.toNanos(wallMillis - confirmed.wallMillis());
        return wall - (now - confirmed.sentAt()) > Math.max(LEAST_SUSPENSION, ttl / 10);
    }
}
