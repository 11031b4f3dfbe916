package io.leasehold.spi;

import java.time.Duration;

/**
 * Asks for the end of a lease.
 *
 * @param id what is locked
 * @param token the lease's token
 * @param retainFor zero to remove the lease; otherwise how long from now it stays taken before it expires by itself
 */
public record ReleaseCommand(LockId id, Token token, Duration retainFor) {

    /** Refuses what no store could do. */
    public ReleaseCommand {
        if (retainFor.isNegative()) {
            throw new IllegalArgumentException("'retainFor' must not be negative: " + retainFor + " (" + id + ")");
        }
    }

    /**
     * A command that removes the lease.
     *
     * @param id what is locked
     * @param token the lease's token
     */
    public ReleaseCommand(LockId id, Token token) {
        this(id, token, Duration.ZERO);
    }
}
