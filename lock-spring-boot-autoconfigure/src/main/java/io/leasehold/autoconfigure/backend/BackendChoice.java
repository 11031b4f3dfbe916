package io.leasehold.autoconfigure.backend;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockProperties;
import io.leasehold.autoconfigure.property.LockerName;
import io.leasehold.autoconfigure.property.LockerProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * The store of a locker, and the property that selects it.
 *
 * @param backend the store's name, {@code null} if no property names one
 * @param property the property that names it, or would name it
 * @param ownRedis the locker's own Redis, {@code null} if it has none
 */
public record BackendChoice(
        @Nullable String backend, String property, @Nullable DedicatedRedis ownRedis) {

    /**
     * Reads the choice of a locker.
     *
     * @throws LockConfigurationException if the locker's property has no value
     */
    public static BackendChoice of(LockerName locker, LockerProperties settings, LockProperties common) {
        DedicatedRedis redis = settings.redis() == null ? null : new DedicatedRedis(locker, settings.redis());
        String property = locker.property("backend");
        if (settings.backend() == null) {
            return new BackendChoice(common.backend(), "lock.backend", redis);
        }
        if (!StringUtils.hasText(settings.backend())) {
            throw LockConfigurationException.withoutValue(property, "for the value of 'lock.backend'");
        }
        return new BackendChoice(settings.backend(), property, redis);
    }
}
