package io.leasehold.adapter.cache;

import io.leasehold.Locker;
import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;

/**
 * Caches that compute a missing value once over all instances, and not once in each. This applies to
 * {@code @Cacheable(sync = true)} and to the methods behind it,
 * {@link Cache#get(Object, java.util.concurrent.Callable)} and {@link Cache#retrieve(Object, Supplier)}:
 *
 * <ol>
 *   <li>The cache is looked up. A value that is found is returned; no lock is acquired.
 *   <li>The lock of the key is acquired. Its key is the cache's name, a colon and the key's text. The locker's
 *       configuration determines how long callers wait. If the lock is not acquired, {@link CacheLocks.OnFailure}
 *       applies.
 *   <li>The cache is looked up again, because another instance may have computed the value meanwhile. If it is still
 *       missing, it is computed and cached. Then the lock is released, also if the computation failed.
 * </ol>
 *
 * <p>If the lock is lost while the value is computed, the value is returned and not cached: another instance may have
 * cached a newer one. A locking cache behind another one, such as Redis behind a cache of this process, joins the lock
 * of the outer one if both have the same name. All other methods go to the cache directly. Locks do not take part in
 * Spring's transactions: their loss prevents no commit. This class is thread-safe.
 *
 * <p>A manager that is a bean initializes the wrapped manager, which then need not be a bean itself. A wrapped manager
 * that is a bean is initialized twice.
 */
public final class LockingCacheManager implements CacheManager, InitializingBean, SmartInitializingSingleton {

    private final CacheManager delegate;

    private final Supplier<CacheLocks> locks;

    /**
     * Creates a manager that computes without a lock if the lock is not acquired.
     *
     * @param delegate has the caches
     * @param locker grants the locks
     */
    public LockingCacheManager(CacheManager delegate, Locker locker) {
        this(delegate, new CacheLocks(locker));
    }

    /**
     * Creates a manager.
     *
     * @param delegate has the caches
     * @param locks acquires the locks
     */
    public LockingCacheManager(CacheManager delegate, CacheLocks locks) {
        this(delegate, () -> locks);
    }

    /**
     * Creates a manager whose locks may be created later than its caches.
     *
     * @param delegate has the caches
     * @param locks returns what acquires the locks, always the same; called for each value that is not cached
     */
    public LockingCacheManager(CacheManager delegate, Supplier<CacheLocks> locks) {
        this.delegate = delegate;
        this.locks = locks;
    }

    /** Initializes the wrapped manager. {@code RedisCacheManager} has the ttl of single caches only then. */
    @Override
    public void afterPropertiesSet() throws Exception {
        if (delegate instanceof InitializingBean uninitialized) {
            uninitialized.afterPropertiesSet();
        }
    }

    /** Notifies the wrapped manager, which the container does not know. */
    @Override
    public void afterSingletonsInstantiated() {
        if (delegate instanceof SmartInitializingSingleton waiting) {
            waiting.afterSingletonsInstantiated();
        }
    }

    @Override
    public @Nullable Cache getCache(String name) {
        Cache cache = delegate.getCache(name);
        return cache == null || cache instanceof LockingCache ? cache : new LockingCache(cache, locks);
    }

    @Override
    public Collection<String> getCacheNames() {
        return delegate.getCacheNames();
    }

    @Override
    public void resetCaches() {
        delegate.resetCaches();
    }
}
