package io.leasehold.autoconfigure.property;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * One entry of {@code lock.lockers}. Settings that are {@code null} are taken from {@link Defaults}.
 *
 * @param namespace Prefix that isolates the locker's keys from those of other lockers. By default, the locker's name
 *     after lock.namespace.
 * @param backend Store of this locker. By default, that of lock.backend.
 * @param redis Redis of this locker, if it differs from that of the other lockers.
 * @param circuitBreaker Circuit breaker of this locker. Other settings are taken from lock.circuit-breaker.
 * @param waitTime Longest time to wait for a lock. 0 tries once.
 * @param ttl Time to live of a lock in the store, renewed every third of it while the lock is held.
 * @param autoRenew Whether locks are renewed while they are held.
 * @param maxHoldTime Longest time that a lock is held, even if it is renewed.
 * @param minHoldTime Shortest time that a lock stays taken, even if it is released earlier.
 * @param commandTimeout Longest time to wait for one answer of the store.
 * @param maxLocalHandoffs How many times in a row, for 16 to 100 ms at most, a lock is handed over inside one process.
 *     0 disables it.
 * @param longHoldThreshold Time after which a held lock is reported in the log, once, with the stack of its thread.
 *     0 disables it.
 * @param longWaitThreshold Time after which a waiting caller is reported in the log, once. 0 disables it.
 */
public record LockerProperties(
        @Nullable String namespace,
        @Nullable String backend,
        @NestedConfigurationProperty @Nullable RedisServerProperties redis,
        @Nullable CircuitBreakerProperties circuitBreaker,
        @Nullable Duration waitTime,
        @Nullable Duration ttl,
        @Nullable Boolean autoRenew,
        @Nullable Duration maxHoldTime,
        @Nullable Duration minHoldTime,
        @Nullable Duration commandTimeout,
        @Nullable Integer maxLocalHandoffs,
        @Nullable Duration longHoldThreshold,
        @Nullable Duration longWaitThreshold) {

    /** The names of these properties. */
    public static final List<String> NAMES = LockPropertyNames.of(LockerProperties.class);

    public static final LockerProperties EMPTY =
            new LockerProperties(null, null, null, null, null, null, null, null, null, null, null, null, null);

    /**
     * Settings of all lockers that do not set their own. They are validated together with each locker's own settings,
     * by the resolver of those.
     *
     * @param waitTime Longest time to wait for a lock. 0 tries once.
     * @param ttl Time to live of a lock in the store, renewed every third of it while the lock is held.
     * @param autoRenew Whether locks are renewed while they are held.
     * @param maxHoldTime Longest time that a lock is held, even if it is renewed. By default, unlimited.
     * @param minHoldTime Shortest time that a lock stays taken, even if it is released earlier.
     * @param commandTimeout Longest time to wait for one answer of the store. By default, 1s or a sixth of the ttl if
     *     that is less.
     * @param maxLocalHandoffs How many times in a row, for 16 to 100 ms at most, a lock is handed over inside one
     *     process. 0 disables it.
     * @param longHoldThreshold Time after which a held lock is reported in the log, once, with the stack of its thread.
     *     0 disables it.
     * @param longWaitThreshold Time after which a waiting caller is reported in the log, once. 0 disables it.
     */
    @ConfigurationProperties(prefix = "lock.defaults", ignoreUnknownFields = false)
    public record Defaults(
            @DefaultValue("10s") Duration waitTime,
            @DefaultValue("30s") Duration ttl,
            @DefaultValue("true") boolean autoRenew,
            @Nullable Duration maxHoldTime,
            @DefaultValue("0s") Duration minHoldTime,
            @Nullable Duration commandTimeout,
            @DefaultValue("64") int maxLocalHandoffs,
            @Nullable Duration longHoldThreshold,
            @Nullable Duration longWaitThreshold) {}
}
