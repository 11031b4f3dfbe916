package io.leasehold.benchmarks.contestant;

import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/** ShedLock over any of its providers. It does not wait, does not renew, and has no fencing tokens. */
final class ShedLockClient implements LockClient {

    private final LockProvider provider;

    private final Duration ttl;

    ShedLockClient(LockProvider provider, Duration ttl) {
        this.provider = provider;
        this.ttl = ttl;
    }

    @Override
    public Hold acquire(String key) {
        SimpleLock lock = provider.lock(new LockConfiguration(Instant.now(), key, ttl, Duration.ZERO))
                .orElseThrow(() -> new IllegalStateException("'" + key + "' is locked, and ShedLock does not wait"));
        return lock::unlock;
    }
}
