package io.leasehold.spi;

import java.time.Duration;

/**
 * Requests the end of a lease.
 *
 * @param id the lock
 * @param token the lease's token
 * @param retainFor zero to remove the lease; otherwise how long from now the lock stays taken until the lease expires
 */
public record ReleaseCommand(LockId id, Token token, Duration retainFor) {

    /** Fails if the time to retain the lease is negative. */
    public ReleaseCommand {
        if (retainFor.isNegative()) {
            throw new IllegalArgumentException("'retainFor' must not be negative: " + retainFor + " (" + id + ")");
        }
    }

    /**
     * Creates a command that removes the lease.
     *
     * @param id the lock
     * @param token the lease's token
     */
    public ReleaseCommand(LockId id, Token token) {
        this(id, token, Duration.ZERO);
    }
}
