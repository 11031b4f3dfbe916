package io.leasehold.support;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What the store's last confirmation of a lease is worth (RELIABILITY R1): the clocks before the command was sent, and
 * the end of the time for which a holder may believe in the lease. One object, so that readers never see half of a new
 * confirmation.
 *
 * <p>Validity counts from before the command was sent, and ends a little before the store's own count, since no two clocks
 * run at the same speed. The allowance is that of the Redlock algorithm (redis.io, "Distributed Locks with Redis"): one
 * hundredth of the ttl and two milliseconds; of very short leases it is a tenth.
 *
 * @param sentAt the monotonic clock before the command was sent
 * @param wallMillis the time of day at the same moment
 * @param validUntil the monotonic clock when validity ends
 */
public record LeaseValidity(long sentAt, long wallMillis, long validUntil) {

    private static final long FIXED_ALLOWANCE = TimeUnit.MILLISECONDS.toNanos(2);

    /**
     * A confirmation for a whole ttl.
     *
     * @param sentAt the monotonic clock before the command was sent
     * @param wallMillis the time of day at the same moment
     * @param ttl what the store has confirmed
     * @return the validity
     */
    public static LeaseValidity of(long sentAt, long wallMillis, Duration ttl) {
        long nanos = ttl.toNanos();
        return new LeaseValidity(sentAt, wallMillis, sentAt + nanos - allowance(nanos));
    }

    /**
     * By how much validity ends before the ttl does.
     *
     * @param ttlNanos the ttl
     * @return nanoseconds
     */
    public static long allowance(long ttlNanos) {
        return ttlNanos / 100 + Math.min(FIXED_ALLOWANCE, ttlNanos / 10);
    }

    /**
     * This confirmation, which is the newer one, ending no earlier than an older one: the store never shortens a lease.
     *
     * @param older the confirmation before
     * @return the validity
     */
    public LeaseValidity noShorterThan(LeaseValidity older) {
        return validUntil - older.validUntil >= 0 ? this : new LeaseValidity(sentAt, wallMillis, older.validUntil);
    }

    /**
     * Whether validity is over.
     *
     * @param now the monotonic clock
     * @return true from the instant of its end on
     */
    public boolean hasEnded(long now) {
        return now - validUntil >= 0;
    }
}
