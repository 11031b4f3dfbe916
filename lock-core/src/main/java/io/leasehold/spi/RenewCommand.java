package io.leasehold.spi;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Asks for a lease to go on.
 *
 * @param id what is locked
 * @param token the lease's token
 * @param ttl how long the lease is to run from now on, at least
 */
public record RenewCommand(LockId id, Token token, Duration ttl) {

    /** Refuses what no store could do; cuts the ttl to milliseconds, which is what all stores count in. */
    public RenewCommand {
        if (ttl.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("'ttl' must be at least 1 ms: " + ttl + " (" + id + ")");
        }
        ttl = ttl.truncatedTo(ChronoUnit.MILLIS);
    }
}
