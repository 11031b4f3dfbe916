package io.leasehold.autoconfigure.adapter;

import io.leasehold.adapter.cache.CacheLocks.OnFailure;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Caches over a locker.
 *
 * @param locker Locker under which caches compute missing values of methods with sync = true, once over all instances.
 *     If set, all CacheManager beans are wrapped.
 * @param onFailure Reaction if the lock of a value is not acquired within its wait time, or its store fails.
 */
@ConfigurationProperties("lock.cache")
record CacheProperties(
        @Nullable String locker, @DefaultValue("compute") OnFailure onFailure) {

    static final String LOCKER = "lock.cache.locker";
}
