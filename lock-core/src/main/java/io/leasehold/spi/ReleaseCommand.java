package io.leasehold.spi;

import java.time.Duration;

/**
 * Asks for the end of a lease.
 *
 * @param id what is locked
 * @param token the lease's token
 * @param keepFor zero to remove the lease; otherwise how long from now it stays taken before it expires by itself
 * @param patience how long the calling thread waits for the answer in any case, interrupted or not, so that the backend
 *     may block it for up to that long; zero if the thread must not be held
 */
public record ReleaseCommand(LockId id, Token token, Duration keepFor, Duration patience) {

    /** Refuses what no store could do. */
    public ReleaseCommand {
        if (keepFor.isNegative()) {
            throw new IllegalArgumentException("'keepFor' must not be negative: " + keepFor + " (" + id + ")");
        }
        if (patience.isNegative()) {
            throw new IllegalArgumentException("'patience' must not be negative: " + patience + " (" + id + ")");
        }
    }

    /**
     * A command whose thread must not be held.
     *
     * @param id what is locked
     * @param token the lease's token
     * @param keepFor how long the lease stays taken
     */
    public ReleaseCommand(LockId id, Token token, Duration keepFor) {
        this(id, token, keepFor, Duration.ZERO);
    }

    /**
     * A command that removes the lease.
     *
     * @param id what is locked
     * @param token the lease's token
     */
    public ReleaseCommand(LockId id, Token token) {
        this(id, token, Duration.ZERO, Duration.ZERO);
    }
}
