package io.leasehold.benchmarks.contestant;

import java.time.Duration;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's lock with a fencing token, renewed by its watchdog. */
final class RedissonFencedLocks implements LockClient {

    private final RedissonClient redisson;

    RedissonFencedLocks(String store, Duration ttl) {
        Config config = new Config();
        config.setLockWatchdogTimeout(ttl.toMillis());
        config.useSingleServer().setAddress(store);
        this.redisson = Redisson.create(config);
    }

    @Override
    public Hold acquire(String key) {
        RFencedLock lock = redisson.getFencedLock("fenced:" + key);
        lock.lockAndGetToken();
        return lock::unlock;
    }
}
