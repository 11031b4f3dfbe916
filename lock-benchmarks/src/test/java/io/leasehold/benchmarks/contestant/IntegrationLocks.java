package io.leasehold.benchmarks.contestant;

import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Spring Integration's registry of locks in Redis. It renews locks only if configured to. */
final class IntegrationLocks implements LockClient {

    private final RedisLockRegistry registry;

    private IntegrationLocks(String store, Duration ttl, RedisLockType type) {
        registry = new RedisLockRegistry(Lettuce.factory(store), "integration-" + type, ttl);
        registry.setRedisLockType(type);
    }

    static LockClient plain(String store, Duration ttl, RedisLockType type) {
        return new IntegrationLocks(store, ttl, type);
    }

    /** Locks that are renewed on a scheduler with one thread. */
    static LockClient renewed(String store, Duration ttl) {
        IntegrationLocks locks = new IntegrationLocks(store, ttl, RedisLockType.PUB_SUB_LOCK);
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.setRemoveOnCancelPolicy(true);
        scheduler.initialize();
        locks.registry.setRenewalTaskScheduler(scheduler);
        return locks;
    }

    @Override
    public Hold acquire(String key) {
        Lock lock = registry.obtain(key);
        lock.lock();
        return lock::unlock;
    }
}
