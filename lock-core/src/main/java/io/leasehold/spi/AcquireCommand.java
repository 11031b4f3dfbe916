package io.leasehold.spi;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Requests a lease.
 *
 * @param id the lock
 * @param token the token of the lease if it is granted; the engine never reuses it for another lease
 * @param ttl how long the store keeps the lease without a renewal
 * @param fencingTokens the number of consecutive fencing tokens that the grant reserves, at least one
 * @param queueIfBusy whether the caller retries if the lock is busy; if not, the store need not queue it
 * @param commandTimeout how long the caller waits for the answer before it cancels the command. A command that waits for
 *     a connection in the meantime is better not sent at all than so late that its answer is not awaited
 */
public record AcquireCommand(
        LockId id, Token token, Duration ttl, int fencingTokens, boolean queueIfBusy, Duration commandTimeout) {

    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);

    /**
     * Requests a lease for a caller that waits for the answer for as long as it takes.
     *
     * @param id the lock
     * @param token the owner
     * @param ttl how long the store keeps the lease without a renewal
     * @param fencingTokens the number of consecutive fencing tokens that the grant reserves, at least one
     * @param queueIfBusy whether the caller retries if the lock is busy
     */
    public AcquireCommand(LockId id, Token token, Duration ttl, int fencingTokens, boolean queueIfBusy) {
        this(id, token, ttl, fencingTokens, queueIfBusy, LONGEST_TIMEOUT);
    }

    /** Validates the components, and truncates the ttl to milliseconds, the unit of all stores. */
    public AcquireCommand {
        if (ttl.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("'ttl' must be at least 1 ms: " + ttl + " (" + id + ")");
        }
        ttl = ttl.truncatedTo(ChronoUnit.MILLIS);
        if (fencingTokens < 1) {
            throw new IllegalArgumentException(
                    "'fencingTokens' must be at least 1: " + fencingTokens + " (" + id + ")");
        }
    }
}
