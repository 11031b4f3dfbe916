package io.leasehold.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Meters.
 *
 * @param enabled Whether locks are metered, if a meter registry is there.
 */
@ConfigurationProperties(prefix = "lock.metrics", ignoreUnknownFields = false)
record LockMetricsProperties(@DefaultValue("true") boolean enabled) {}
