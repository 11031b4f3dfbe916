package io.leasehold.autoconfigure.locker;

import io.leasehold.autoconfigure.property.CircuitBreakerProperties;
import io.leasehold.autoconfigure.property.LockProperties;
import io.leasehold.autoconfigure.property.LockerName;
import io.leasehold.autoconfigure.property.LockerProperties;
import io.leasehold.engine.LockerSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * All that the properties say about one locker.
 *
 * @param settings how it locks
 * @param backend where it locks
 * @param circuitBreaker when it gives up on the store for a while
 * @param namespaceIsUndecided whether neither the locker nor the application says with whom it shares its locks
 */
public record LockerConfiguration(
        LockerSettings settings,
        BackendChoice backend,
        CircuitBreakerProperties circuitBreaker,
        boolean namespaceIsUndecided) {

    /**
     * Which store a locker locks in, and which property says so.
     *
     * @param backend the store's name, {@code null} if no property names one
     * @param property the property that names it, or would
     * @param ownRedis the locker's own Redis, {@code null} if it has none
     */
    public record BackendChoice(
            @Nullable String backend,
            String property,
            @Nullable DedicatedRedis ownRedis) {

        static BackendChoice of(LockerName locker, LockerProperties settings, LockProperties common) {
            DedicatedRedis redis = settings.redis() == null ? null : new DedicatedRedis(locker, settings.redis());
            if (StringUtils.hasText(settings.backend())) {
                return new BackendChoice(settings.backend(), locker.property("backend"), redis);
            }
            return new BackendChoice(common.backend(), "lock.backend", redis);
        }
    }
}
