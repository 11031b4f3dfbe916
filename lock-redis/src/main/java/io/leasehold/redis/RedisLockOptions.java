package io.leasehold.redis;

import io.leasehold.redis.client.RequiredReplicas;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How locks are stored in Redis.
 *
 * @param fenceRetention how long a lock's fencing counter is kept after its last grant, and for at least half of this
 *     time after its last renewal; afterwards the server's clock replaces it. At least a minute
 * @param minReplicas the number of replicas that must confirm every grant and every renewal before it counts, and
 *     outside of clusters every release and every answer that a lease does not exist; {@code 0} for none. {@code null}
 *     means one replica with Sentinel, and in a cluster that has replicas when the application connects, and none
 *     otherwise
 * @param replicaTimeout the maximum time to wait for the confirmations, at most a second
 * @param gracePeriod how long a master that was promoted or restarted grants no lock. Leases that it lacks end in this
 *     time. {@code null} means the ttl of the requested lock; zero means that it grants locks immediately. It applies
 *     outside of clusters if replicas must confirm leases
 * @param fastPath whether the fast path acquires and releases free locks. It applies only with Lettuce, outside of
 *     clusters, and if no replica must confirm a lease. The plain backend does the same, more slowly
 * @param grantOnRelease whether a release grants the lock to the first waiter of another process in the same step,
 *     instead of letting it ask again. It applies under the conditions of the fast path
 */
public record RedisLockOptions(
        Duration fenceRetention,
        @Nullable Integer minReplicas,
        Duration replicaTimeout,
        @Nullable Duration gracePeriod,
        boolean fastPath,
        boolean grantOnRelease) {

    private static final Duration LEAST_RETENTION = Duration.ofMinutes(1);

    private static final Duration LONGEST_REPLICA_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration LONGEST_GRACE_PERIOD = Duration.ofDays(365);

    /**
     * Validates the options. Fails for a retention below one minute, a negative number of replicas, a replica timeout
     * outside of 1 ms to 1 s, and a grace period outside of zero to 365 days.
     */
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
        if (gracePeriod != null && (gracePeriod.isNegative() || gracePeriod.compareTo(LONGEST_GRACE_PERIOD) > 0)) {
            throw new IllegalArgumentException("'grace-period' must be zero to 365 days: " + gracePeriod);
        }
    }

    /**
     * Returns the defaults: a retention of one hour, the default number of replicas, a replica timeout of 200 ms,
     * the ttl of each lock as the grace period, and the fast path and grants on release enabled.
     */
    public static RedisLockOptions defaults() {
        return new RedisLockOptions(Duration.ofHours(1), null, Duration.ofMillis(200), null, true, true);
    }

    /**
     * Returns these options with another number of replicas.
     *
     * @param replicas the number of replicas that must confirm; {@code null} for the default
     */
    public RedisLockOptions withMinReplicas(@Nullable Integer replicas) {
        return new RedisLockOptions(fenceRetention, replicas, replicaTimeout, gracePeriod, fastPath, grantOnRelease);
    }

    /**
     * Returns these options with another retention.
     *
     * @param retention how long a fencing counter is kept after its last grant
     */
    public RedisLockOptions withFenceRetention(Duration retention) {
        return new RedisLockOptions(retention, minReplicas, replicaTimeout, gracePeriod, fastPath, grantOnRelease);
    }

    /**
     * Returns these options with another replica timeout.
     *
     * @param timeout the maximum time to wait for confirmations
     */
    public RedisLockOptions withReplicaTimeout(Duration timeout) {
        return new RedisLockOptions(fenceRetention, minReplicas, timeout, gracePeriod, fastPath, grantOnRelease);
    }

    /**
     * Returns these options with another grace period.
     *
     * @param period how long a new master grants no lock; {@code null} for the ttl of the requested lock
     */
    public RedisLockOptions withGracePeriod(@Nullable Duration period) {
        return new RedisLockOptions(fenceRetention, minReplicas, replicaTimeout, period, fastPath, grantOnRelease);
    }

    /**
     * Returns these options with or without the fast path.
     *
     * @param enabled whether free locks use the fast path
     */
    public RedisLockOptions withFastPath(boolean enabled) {
        return new RedisLockOptions(fenceRetention, minReplicas, replicaTimeout, gracePeriod, enabled, grantOnRelease);
    }

    /**
     * Returns these options with or without grants on release.
     *
     * @param enabled whether a release grants the lock to the first waiter in the same step
     */
    public RedisLockOptions withGrantOnRelease(boolean enabled) {
        return new RedisLockOptions(fenceRetention, minReplicas, replicaTimeout, gracePeriod, fastPath, enabled);
    }

    /** Returns the required replicas. {@code byDefault} replaces an unset number of replicas. */
    RequiredReplicas replicas(int byDefault) {
        return new RequiredReplicas(minReplicas == null ? byDefault : minReplicas, replicaTimeout);
    }
}
