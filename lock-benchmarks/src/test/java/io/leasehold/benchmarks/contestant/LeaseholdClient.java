package io.leasehold.benchmarks.contestant;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** This library over any of its stores. */
public final class LeaseholdClient implements LockClient {

    private static final Duration WAIT = Duration.ofMinutes(5);

    private final Locker locker;

    /**
     * Creates a locker on a store.
     *
     * @param backend the store
     * @param ttl how long the store keeps a lock that its holder does not renew
     * @param maxLocalHandoffs how many times in a row a lock is handed over inside this process
     */
    public LeaseholdClient(LockBackend backend, Duration ttl, int maxLocalHandoffs) {
        LockerSettings settings = LockerSettings.of("leasehold")
                .withTtl(ttl)
                .withCommandTimeout(ttl.dividedBy(4))
                .withWaitTime(WAIT)
                .withMaxLocalHandoffs(maxLocalHandoffs);
        this.locker = new LockEngine(new LockListener() {}).locker(settings, "benchmark", backend);
    }

    @Override
    public Hold acquire(String key) {
        LockHandle handle = locker.lock(key);
        return () -> {
            if (!handle.release()) {
                throw new IllegalStateException(handle + " was lost");
            }
        };
    }

    /** The same locks, released without waiting until they are free. A failed release is thrown by the next call. */
    LockClient withoutWaitingForReleases() {
        AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
        return key -> {
            if (failed.get() != null) {
                throw new IllegalStateException("a lock was not given back", failed.get());
            }
            LockHandle handle = locker.lock(key);
            return () -> handle.releaseAsync().whenComplete((released, failure) -> {
                if (failure != null) {
                    failed.set(failure);
                } else if (!released) {
                    failed.set(new IllegalStateException(handle + " was lost"));
                }
            });
        };
    }
}
