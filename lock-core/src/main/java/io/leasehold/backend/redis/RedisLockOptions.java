package io.leasehold.backend.redis;

import java.time.Duration;

/**
 * How locks are kept in Redis.
 *
 * @param fenceRetention how long a lock's fencing counter outlives its last grant; afterwards the server's clock takes
 *     its place. At least a minute
 */
public record RedisLockOptions(Duration fenceRetention) {

    private static final Duration LEAST_RETENTION = Duration.ofMinutes(1);

    /** Refuses a retention that is too short to matter. */
    public RedisLockOptions {
        if (fenceRetention.compareTo(LEAST_RETENTION) < 0) {
            throw new IllegalArgumentException(
                    "'fence-retention' must be at least " + LEAST_RETENTION + ": " + fenceRetention);
        }
    }

    /**
     * The defaults: a retention of one hour.
     *
     * @return the options
     */
    public static RedisLockOptions defaults() {
        return new RedisLockOptions(Duration.ofHours(1));
    }
}
