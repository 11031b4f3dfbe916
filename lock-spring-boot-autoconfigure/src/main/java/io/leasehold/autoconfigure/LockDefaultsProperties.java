package io.leasehold.autoconfigure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What lockers are set to unless they say otherwise. Checked together with each locker's own settings, in
 * {@link LockerSettingsResolver}.
 *
 * @param waitTime Longest time to wait for a lock. 0 tries once.
 * @param ttl Time to live of a lock in the store, renewed every third of it while the lock is held.
 * @param autoRenew Whether locks are renewed while they are held.
 * @param maxHoldTime Longest time a lock is held, however often it is renewed. By default unlimited.
 * @param minHoldTime Shortest time a lock stays taken, even if it is released earlier.
 * @param commandTimeout Longest time to wait for one answer of the store. By default 1s, or a sixth of the ttl if less.
 * @param maxLocalHandoffs How many times in a row, for 16 ms at most, a lock is passed on inside one process. 0 switches it off.
 */
@ConfigurationProperties(prefix = "lock.defaults", ignoreUnknownFields = false)
record LockDefaultsProperties(
        @DefaultValue("10s") Duration waitTime,
        @DefaultValue("30s") Duration ttl,
        @DefaultValue("true") boolean autoRenew,
        @Nullable Duration maxHoldTime,
        @DefaultValue("0s") Duration minHoldTime,
        @Nullable Duration commandTimeout,
        @DefaultValue("64") int maxLocalHandoffs) {}
