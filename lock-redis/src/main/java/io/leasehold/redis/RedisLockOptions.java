package io.leasehold.redis;

import io.leasehold.redis.client.RequiredReplicas;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How locks are kept in Redis.
 *
 * @param fenceRetention how long a lock's fencing counter outlives its last grant; afterwards the server's clock takes
 *     its place. At least a minute
 * @param minReplicas how many replicas have to confirm every grant and every renewal before it counts; {@code 0} for
 *     none. {@code null} for one where replicas are configured, which is with Sentinel, and in a cluster that knows of
 *     replicas when the application connects, and for none elsewhere
 * @param replicaTimeout how long the confirmations are waited for, at most a second
 * @param fastPath whether locks that are free are acquired and released by the fast path, where Lettuce is used, outside of
 *     clusters and where no replica has to confirm a lease; the plain backend does the same, more slowly
 */
public record RedisLockOptions(
        Duration fenceRetention, @Nullable Integer minReplicas, Duration replicaTimeout, boolean fastPath) {

    private static final Duration LEAST_RETENTION = Duration.ofMinutes(1);

    private static final Duration LONGEST_REPLICA_TIMEOUT = Duration.ofSeconds(1);

    /** Refuses a retention that is too short to matter, and a timeout in which no replica can answer, or that is too long. */
    public RedisLockOptions {
        if (fenceRetention.compareTo(LEAST_RETENTION) < 0) {
            throw new IllegalArgumentException(
                    "'fence-retention' must be at least " + LEAST_RETENTION + ": " + fenceRetention);
        }
        if (minReplicas != null && minReplicas < 0) {
            throw new IllegalArgumentException("'min-replicas' must not be negative: " + minReplicas);
        }
        if (replicaTimeout.toMillis() < 1 || replicaTimeout.compareTo(LONGEST_REPLICA_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "'replica-timeout' must be 1 ms to " + LONGEST_REPLICA_TIMEOUT + ": " + replicaTimeout);
        }
    }

    /**
     * The defaults: a retention of one hour, and one replica where replicas are configured, which has 200 ms; the fast path is
     * on.
     *
     * @return the options
     */
    public static RedisLockOptions defaults() {
        return new RedisLockOptions(Duration.ofHours(1), null, Duration.ofMillis(200), true);
    }

    /**
     * The same with another number of replicas.
     *
     * @param replicas how many have to confirm; {@code null} for the default
     * @return the options
     */
    public RedisLockOptions withMinReplicas(@Nullable Integer replicas) {
        return new RedisLockOptions(fenceRetention, replicas, replicaTimeout, fastPath);
    }

    /**
     * The same with another retention.
     *
     * @param retention how long a fencing counter outlives its last grant
     * @return the options
     */
    public RedisLockOptions withFenceRetention(Duration retention) {
        return new RedisLockOptions(retention, minReplicas, replicaTimeout, fastPath);
    }

    /**
     * The same with another time for replicas.
     *
     * @param timeout how long confirmations are waited for
     * @return the options
     */
    public RedisLockOptions withReplicaTimeout(Duration timeout) {
        return new RedisLockOptions(fenceRetention, minReplicas, timeout, fastPath);
    }

    /**
     * The same with or without the fast path.
     *
     * @param enabled whether locks that are free take the fast path
     * @return the options
     */
    public RedisLockOptions withFastPath(boolean enabled) {
        return new RedisLockOptions(fenceRetention, minReplicas, replicaTimeout, enabled);
    }

    /** What has to confirm if {@code byDefault} is what {@code null} stands for. */
    RequiredReplicas replicas(int byDefault) {
        return new RequiredReplicas(minReplicas == null ? byDefault : minReplicas, replicaTimeout);
    }
}
