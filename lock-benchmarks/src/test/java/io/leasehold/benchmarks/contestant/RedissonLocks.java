package io.leasehold.benchmarks.contestant;

import java.time.Duration;
import java.util.function.BiFunction;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** One of Redisson's locks, renewed by its watchdog, on its default settings for a single server. */
final class RedissonLocks implements LockClient {

    private final RedissonClient redisson;

    private final BiFunction<RedissonClient, String, RLock> kind;

    RedissonLocks(String store, Duration ttl, BiFunction<RedissonClient, String, RLock> kind) {
        Config config = new Config();
        config.setLockWatchdogTimeout(ttl.toMillis());
        config.useSingleServer().setAddress(store);
        this.redisson = Redisson.create(config);
        this.kind = kind;
    }

    @Override
    public Hold acquire(String key) {
        RLock lock = kind.apply(redisson, "redisson:" + key);
        lock.lock();
        return lock::unlock;
    }
}
