package io.leasehold.autoconfigure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The redis backend.
 *
 * @param connectionFactory Name of the RedisConnectionFactory bean to lock in. Needed if there are several.
 * @param fenceRetention How long Redis keeps the fencing token of a key that nobody locks any more.
 */
@ConfigurationProperties(prefix = "lock.redis", ignoreUnknownFields = false)
record RedisLockProperties(
        @Nullable String connectionFactory,
        @DefaultValue("1h") Duration fenceRetention) {

    private static final Duration LEAST_RETENTION = Duration.ofMinutes(1);

    /** Refuses a retention that is too short to matter. */
    RedisLockProperties {
        if (fenceRetention.compareTo(LEAST_RETENTION) < 0) {
            throw new LockConfigurationException(
                    "lock.redis.fence-retention", fenceRetention, "must be at least 1m", "Raise it.");
        }
    }
}
