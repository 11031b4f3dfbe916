package io.leasehold.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * Which store a locker locks in, and which property says so.
 *
 * @param backend the store's name, {@code null} if no property names one
 * @param property the property that names it, or would
 * @param ownRedis the locker's own Redis, {@code null} if it has none
 */
record BackendChoice(
        @Nullable String backend, String property, @Nullable OwnRedis ownRedis) {

    static BackendChoice of(LockerName locker, LockerProperties settings, LockProperties common) {
        OwnRedis redis = settings.redis() == null ? null : new OwnRedis(locker, settings.redis());
        if (StringUtils.hasText(settings.backend())) {
            return new BackendChoice(settings.backend(), locker.property("backend"), redis);
        }
        return new BackendChoice(common.backend(), "lock.backend", redis);
    }
}
