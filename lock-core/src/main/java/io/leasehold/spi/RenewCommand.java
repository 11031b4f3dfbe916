package io.leasehold.spi;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Requests the renewal of a lease.
 *
 * @param id the lock
 * @param token the lease's token
 * @param ttl the minimum time for which the store keeps the lease from now on
 */
public record RenewCommand(LockId id, Token token, Duration ttl) {

    /** Validates the ttl and truncates it to milliseconds, the unit of all stores. */
    public RenewCommand {
        if (ttl.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("'ttl' must be at least 1 ms: " + ttl + " (" + id + ")");
        }
        ttl = ttl.truncatedTo(ChronoUnit.MILLIS);
    }
}
