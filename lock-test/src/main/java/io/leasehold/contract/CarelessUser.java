package io.leasehold.contract;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;

/** One thread of a {@link LockLoad}, which misuses locks on purpose. */
final class CarelessUser {

    private final Locker locker;

    private final List<String> keys;

    private final Duration ttl;

    private final History history;

    private final Random random;

    CarelessUser(Locker locker, List<String> keys, Duration ttl, History history, Random random) {
        this.locker = locker;
        this.keys = keys;
        this.ttl = ttl;
        this.history = history;
        this.random = random;
    }

    void lockOnce() {
        boolean renewed = random.nextBoolean();
        LockRequest request = LockRequest.of(keys.get(random.nextInt(keys.size())))
                .withTtl(ttl)
                .withAutoRenew(renewed)
                .withWaitTime(Duration.ofMillis(random.nextInt(200)));
        switch (random.nextInt(50)) {
            case 0 -> lockInterrupted(request);
            case 1 -> lockAndCancel(request);
            case 2 -> locker.tryLock(request).ifPresent(handle -> holdTooLong(handle, renewed));
            case 3 -> locker.tryLock(request).ifPresent(handle -> forget(handle, renewed));
            default -> locker.tryLock(request).ifPresent(this::holdAndRelease);
        }
    }

    private void lockInterrupted(LockRequest request) {
        Thread.currentThread().interrupt();
        try {
            locker.tryLock(request).ifPresent(this::holdAndRelease);
        } catch (LockInterruptedException expected) {
            requireInterrupted();
        } finally {
            Thread.interrupted();
        }
    }

    private void lockAndCancel(LockRequest request) {
        CompletableFuture<Optional<LockHandle>> asked =
                locker.tryLockAsync(request).toCompletableFuture();
        LockSupport.parkNanos(random.nextInt(2_000_000));
        if (asked.cancel(true)) {
            return;
        }
        try {
            asked.join().ifPresent(this::holdAndRelease);
        } catch (CompletionException ex) {
            throw ex.getCause() instanceof LockBackendException failure ? failure : ex;
        }
    }

    private void holdTooLong(LockHandle handle, boolean renewed) {
        hold(handle, ttl.toNanos() * 3 / 2);
        if (!renewed && handle.isHeld()) {
            throw new AssertionError("held beyond its ttl without renewal: " + handle.key());
        }
        handle.release();
    }

    private void forget(LockHandle handle, boolean renewed) {
        hold(handle, 0);
        if (renewed) {
            handle.close();
        }
    }

    private void holdAndRelease(LockHandle handle) {
        hold(handle, random.nextInt(2_000_000));
        handle.release();
        if (handle.release() || handle.isHeld()) {
            throw new AssertionError("still held after its release: " + handle.key());
        }
    }

    /** Holds a lock for the given time, and records the period in which the lock was observed to be valid. */
    private void hold(LockHandle handle, long nanos) {
        long from = System.nanoTime();
        long now = from;
        long to = from;
        boolean everHeld = false;
        while (handle.isHeld()) {
            everHeld = true;
            to = now;
            if (now - from >= nanos) {
                break;
            }
            LockSupport.parkNanos(Math.min(nanos, 1_000_000));
            now = System.nanoTime();
        }
        if (everHeld) {
            String holder = locker.name() + "/" + Thread.currentThread().getName();
            history.add(new Grant(handle.key(), handle.fencingToken(), from, to, holder));
        }
    }

    private static void requireInterrupted() {
        if (!Thread.currentThread().isInterrupted()) {
            throw new AssertionError("the interrupt flag was lost");
        }
    }
}
