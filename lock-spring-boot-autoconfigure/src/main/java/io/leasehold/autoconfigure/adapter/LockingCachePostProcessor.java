package io.leasehold.autoconfigure.adapter;

import io.leasehold.adapter.cache.CacheLocks;
import io.leasehold.adapter.cache.LockingCacheManager;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cache.CacheManager;

/**
 * Puts locks under the caches of each {@link CacheManager} bean. The locks are requested with the first missing value.
 */
final class LockingCachePostProcessor implements BeanPostProcessor {

    private final ObjectProvider<CacheLocks> locks;

    LockingCachePostProcessor(ObjectProvider<CacheLocks> locks) {
        this.locks = locks;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean instanceof CacheManager manager ? new LockingCacheManager(manager, locks::getObject) : bean;
    }
}
