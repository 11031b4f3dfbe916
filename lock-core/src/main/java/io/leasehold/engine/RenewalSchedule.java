package io.leasehold.engine;

import io.leasehold.support.LeaseValidity;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * Computes when a lease is renewed (rules.md R5). Stateless arithmetic in nanoseconds.
 *
 * <ol>
 *   <li>A renewal is due when a third of the ttl has passed since the last confirmed command was sent.
 *   <li>An unanswered renewal is due again after at most a twelfth of the ttl, and sooner as the end of validity
 *       approaches, with jitter. It is sent when the watchdog checks next, at most its pace later.
 *   <li>When two thirds of the ttl have passed without a confirmation, the lease is at risk.
 * </ol>
 */
final class RenewalSchedule {

    private static final long LEAST_RETRY = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long LONGEST_PACE = TimeUnit.SECONDS.toNanos(1);

    private static final long LEAST_SUSPENSION = TimeUnit.SECONDS.toNanos(1);

    private RenewalSchedule() {}

    /** When to renew after a confirmation: when two thirds of the ttl are left of the validity. */
    static long dueAfter(LeaseValidity confirmed, long ttl) {
        return confirmed.validUntil() - ttl / 3 * 2;
    }

    /** How early a renewal may be sent, so that one batch contains many leases. */
    static long earliness(LeaseValidity confirmed, long ttl, long now, boolean retry) {
        return retry ? longestRetryDelay(confirmed, ttl, now) / 4 : ttl / 10;
    }

    /**
     * When a lease is at risk: two thirds of the ttl after its confirmation was sent, or when a third of the ttl is left
     * of a validity that is longer.
     */
    static long riskAfter(LeaseValidity confirmed, long ttl) {
        long ordinary = confirmed.sentAt() + ttl / 3 * 2;
        long nearEnd = confirmed.validUntil() - ttl / 3;
        return nearEnd - ordinary > 0 ? nearEnd : ordinary;
    }

    static long retryDelay(LeaseValidity confirmed, long ttl, long now, LongUnaryOperator jitter) {
        long longest = longestRetryDelay(confirmed, ttl, now);
        return longest / 2 + jitter.applyAsLong(longest / 2 + 1);
    }

    /** When to retry at the latest. The watchdog retries at most a quarter of it earlier. */
    static long longestRetryDelay(LeaseValidity confirmed, long ttl, long now) {
        return Math.max(LEAST_RETRY, Math.min(ttl / 12, (confirmed.validUntil() - now) / 4));
    }

    /**
     * The minimum time between two iterations of the watchdog over all leases, if the second one is only for renewals.
     */
    static long pace(long ttl) {
        return Math.min(LONGEST_PACE, ttl / 20);
    }

    /**
     * Whether the monotonic clock seems to have stood still since the confirmation, as on a suspended machine (R3). A
     * wall clock that was set back is ignored.
     *
     * @param provisional whether the lease is shorter than the ttl. It may end in a suspension that others tolerate, and
     *     has been confirmed for so short a time that a correction of the wall clock is unlikely
     */
    static boolean isSuspect(LeaseValidity confirmed, long ttl, boolean provisional, long now, long wallMillis) {
        long wall = TimeUnit.MILLISECONDS.toNanos(wallMillis - confirmed.wallMillis());
        long tolerated =
                provisional ? (confirmed.validUntil() - confirmed.sentAt()) / 10 : Math.max(LEAST_SUSPENSION, ttl / 10);
        return wall - (now - confirmed.sentAt()) > tolerated;
    }
}
