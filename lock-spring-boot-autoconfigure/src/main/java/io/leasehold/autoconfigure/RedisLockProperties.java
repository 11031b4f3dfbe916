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

    /** Refuses a retention that is none. */
    RedisLockProperties {
        Setting.requirePositive(new Setting<>("lock.redis.fence-retention", fenceRetention));
    }
}
