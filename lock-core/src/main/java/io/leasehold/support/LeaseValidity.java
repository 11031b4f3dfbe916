package io.leasehold.support;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The validity of a lease after the store's last confirmation (rules.md R1): the clock readings before the command
 * was sent, and the time until which a holder may rely on the lease. All values are in one immutable object, so that
 * readers never see a partially updated confirmation.
 *
 * <p>Validity counts from before the command was sent. It ends slightly before the lease expires in the store, because
 * no two clocks run at the same speed. The allowance is the one of the Redlock algorithm (redis.io, "Distributed Locks
 * with Redis"): one hundredth of the ttl plus two milliseconds. For a ttl below 20 ms, a tenth of the ttl replaces the
 * two milliseconds.
 *
 * @param sentAt the monotonic clock before the command was sent
 * @param wallMillis the time of day at the same moment
 * @param validUntil the monotonic clock when validity ends
 */
public record LeaseValidity(long sentAt, long wallMillis, long validUntil) {

    private static final long FIXED_ALLOWANCE = TimeUnit.MILLISECONDS.toNanos(2);

    /**
     * Creates the validity of a confirmation for a whole ttl.
     *
     * @param ttl the ttl that the store has confirmed
     */
    public static LeaseValidity of(long sentAt, long wallMillis, Duration ttl) {
        long nanos = ttl.toNanos();
        return new LeaseValidity(sentAt, wallMillis, sentAt + nanos - allowance(nanos));
    }

    /**
     * Returns the time by which validity ends before the ttl.
     *
     * @param ttlNanos the ttl in nanoseconds
     * @return nanoseconds
     */
    public static long allowance(long ttlNanos) {
        return ttlNanos / 100 + Math.min(FIXED_ALLOWANCE, ttlNanos / 10);
    }

    /**
     * Returns this validity, or a copy that ends with the older one if that ends later. The store never shortens a
     * lease.
     *
     * @param older the previous confirmation
     */
    public LeaseValidity noShorterThan(LeaseValidity older) {
        return validUntil - older.validUntil >= 0 ? this : new LeaseValidity(sentAt, wallMillis, older.validUntil);
    }

    /**
     * Returns whether validity has ended.
     *
     * @param now the monotonic clock
     * @return true from the end of validity on
     */
    public boolean hasEnded(long now) {
        return now - validUntil >= 0;
    }
}
