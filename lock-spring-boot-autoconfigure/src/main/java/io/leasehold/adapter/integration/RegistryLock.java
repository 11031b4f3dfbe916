package io.leasehold.adapter.integration;

import io.leasehold.LockInterruptedException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.DistributedLock;

/** The lock of one key. It has no state of its own: the registry knows which thread holds the key. */
final class RegistryLock implements DistributedLock {

    /** The wait time of one attempt of the methods that wait indefinitely. */
    private static final Duration ROUND = Duration.ofMinutes(1);

    private final LockerLockRegistry registry;

    private final String key;

    RegistryLock(LockerLockRegistry registry, String key) {
        this.registry = registry;
        this.key = key;
    }

    @Override
    public void lock() {
        lockUninterruptibly(null);
    }

    @Override
    public void lock(Duration ttl) {
        lockUninterruptibly(ttl);
    }

    private void lockUninterruptibly(@Nullable Duration ttl) {
        boolean interrupted = false;
        boolean acquired = false;
        try {
            while (!acquired) {
                try {
                    acquired = tryLockFor(ROUND, ttl);
                } catch (InterruptedException ex) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        boolean acquired = false;
        while (!acquired) {
            acquired = tryLockFor(ROUND, null);
        }
    }

    @Override
    public boolean tryLock() {
        return registry.acquire(key, Duration.ZERO, null);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLockFor(Duration.ofNanos(unit.toNanos(time)), null);
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        return tryLockFor(waitTime, ttl);
    }

    private boolean tryLockFor(Duration waitTime, @Nullable Duration ttl) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        try {
            return registry.acquire(key, waitTime.isNegative() ? Duration.ZERO : waitTime, ttl);
        } catch (LockInterruptedException ex) {
            Thread.interrupted();
            throw new InterruptedException(ex.getMessage());
        }
    }

    @Override
    public void unlock() {
        registry.release(key);
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a distributed lock has no conditions");
    }

    @Override
    public String toString() {
        return "lock '" + key + "'";
    }
}
