package io.leasehold.spi;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Asks for a lease.
 *
 * @param id what to lock
 * @param token the lease's token if it is granted; the engine never uses it again for another lease
 * @param ttl how long the store keeps the lease without hearing of it
 * @param fencingTokens how many consecutive fencing tokens the grant reserves, at least one
 * @param queueIfBusy whether the caller asks again if the lock is busy; if not, the store need not queue it
 */
public record AcquireCommand(LockId id, Token token, Duration ttl, int fencingTokens, boolean queueIfBusy) {

    /** Refuses what no store could grant; cuts the ttl to milliseconds, which is what all stores count in. */
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
