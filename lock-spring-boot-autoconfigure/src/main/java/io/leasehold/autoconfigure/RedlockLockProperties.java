package io.leasehold.autoconfigure;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The redlock backend.
 *
 * @param nodes Independent Redis servers, an odd number of at least three. The same ones for all instances.
 * @param nodeTimeout Longest time to wait for one server. By default a twentieth of the ttl, at most 200ms.
 * @param longestTtl Longest ttl of any locker on these servers. A server that was restarted has no vote for this long.
 */
@ConfigurationProperties(prefix = "lock.redlock", ignoreUnknownFields = false)
record RedlockLockProperties(
        @DefaultValue List<RedlockNodeProperties> nodes,
        @Nullable Duration nodeTimeout,
        @DefaultValue("1m") Duration longestTtl) {}
