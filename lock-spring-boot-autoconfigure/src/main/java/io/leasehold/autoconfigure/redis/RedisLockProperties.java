package io.leasehold.autoconfigure.redis;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockSslProperties;
import io.leasehold.autoconfigure.property.PropertyValue;
import io.leasehold.autoconfigure.property.RedisServerProperties;
import io.leasehold.redis.RedisLockOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The redis backend.
 *
 * @param connectionFactory Name of the RedisConnectionFactory bean that the locks use. Required if there are several
 *     and none is primary.
 * @param url URL of a server that only locks use, such as redis://host:6379/0, or rediss for TLS. May have a login.
 * @param host Host of a server that only locks use, instead of a URL.
 * @param port Port of that server. By default, 6379.
 * @param username User to log in as on that server.
 * @param password Password of the user, or of that server.
 * @param database Number of the database on that server. By default, 0.
 * @param ssl Encryption of the connections to that server.
 * @param fenceRetention How long Redis keeps the fencing token of a key after its last grant.
 * @param minReplicas Number of replicas that have to confirm each grant and each renewal. By default, 1 with Sentinel
 *     and over Lettuce in a cluster that has replicas, otherwise 0.
 * @param replicaTimeout Longest time to wait for the confirmations of replicas.
 * @param gracePeriod How long a Redis that was promoted to a master, or restarted, grants no lock, because it may lack
 *     some. By default, the ttl of the lock. Outside of clusters and if replicas have to confirm locks.
 * @param fastPath Whether free locks are acquired and released in scripts that concurrent calls share. With Lettuce,
 *     outside of clusters and if no replica has to confirm a lock.
 * @param grantOnRelease Whether a release grants the lock to the first waiter in the same step. With Lettuce, outside of
 *     clusters and if no replica has to confirm a lock.
 */
@ConfigurationProperties(prefix = "lock.redis", ignoreUnknownFields = false)
record RedisLockProperties(
        @Nullable String connectionFactory,
        @Nullable String url,
        @Nullable String host,
        @Nullable Integer port,
        @Nullable String username,
        @Nullable String password,
        @Nullable Integer database,
        @NestedConfigurationProperty @Nullable LockSslProperties ssl,
        @DefaultValue("1h") Duration fenceRetention,
        @Nullable Integer minReplicas,
        @DefaultValue("200ms") Duration replicaTimeout,
        @Nullable Duration gracePeriod,
        @DefaultValue("true") boolean fastPath,
        @DefaultValue("true") boolean grantOnRelease) {

    private static final Duration LEAST_RETENTION = Duration.ofMinutes(1);

    private static final Duration LONGEST_REPLICA_TIMEOUT = Duration.ofSeconds(1);

    /** Rejects a retention that is too short, and replica settings out of range. */
    RedisLockProperties {
        if (fenceRetention.compareTo(LEAST_RETENTION) < 0) {
            throw new LockConfigurationException(
                    "lock.redis.fence-retention", fenceRetention, "must be at least 1m", "Raise it.");
        }
        if (minReplicas != null && minReplicas < 0) {
            throw new LockConfigurationException(
                    "lock.redis.min-replicas", minReplicas, "must not be negative", "Set it to 0 to wait for none.");
        }
        if (replicaTimeout.toMillis() < 1 || replicaTimeout.compareTo(LONGEST_REPLICA_TIMEOUT) > 0) {
            throw new LockConfigurationException(
                    "lock.redis.replica-timeout",
                    replicaTimeout,
                    "must be 1ms to 1s",
                    "Replicas that are well answer within milliseconds.");
        }
        if (gracePeriod != null) {
            PropertyValue.requireZeroToYear(new PropertyValue<>("lock.redis.grace-period", gracePeriod));
        }
    }

    RedisServerProperties server() {
        return new RedisServerProperties(connectionFactory, url, host, port, username, password, database, ssl);
    }

    RedisLockOptions options() {
        return new RedisLockOptions(fenceRetention, minReplicas, replicaTimeout, gracePeriod, fastPath, grantOnRelease);
    }

    /** The properties without the password. */
    @Override
    public String toString() {
        return "RedisLockProperties[" + server() + ", fenceRetention=" + fenceRetention + ", minReplicas=" + minReplicas
                + ", replicaTimeout=" + replicaTimeout + ", gracePeriod=" + gracePeriod + ", fastPath=" + fastPath
                + ", grantOnRelease="
                + grantOnRelease + "]";
    }
}
