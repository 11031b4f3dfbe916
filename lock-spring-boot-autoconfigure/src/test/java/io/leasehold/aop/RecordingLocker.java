package io.leasehold.aop;

import io.leasehold.LockHandle;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.engine.LockerSettings;
import io.leasehold.test.Disturbance;
import io.leasehold.test.TestLocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A locker of the test kit that records its requests and does not wait, and whose answers a test can replace. */
final class RecordingLocker implements Locker {

    static final Duration WAIT_TIME = Duration.ofSeconds(7);

    private final TestLocks locks;

    private final Locker locker;

    final List<LockRequest> requests = new CopyOnWriteArrayList<>();

    final List<RecordingHandle> granted = new CopyOnWriteArrayList<>();

    /** The exception that replaces the answer, if any. */
    volatile RuntimeException broken;

    /** Runs before the answer. */
    volatile Runnable beforeAnswer = () -> {};

    /** Shows a key as callers see it. */
    volatile UnaryOperator<String> visible = key -> key;

    /** The answer of the asynchronous method, if it is not to answer immediately. */
    volatile CompletableFuture<Optional<LockHandle>> pending;

    /** Answers the asynchronous method, if it is not to answer immediately and {@link #pending} is not set. */
    volatile Executor answering;

    /** The exception for a caller that did not get the lock, if it is not to come immediately. */
    volatile Supplier<CompletionStage<LockNotAcquiredException>> onNotAcquired;

    RecordingLocker(String name) {
        this.locks = TestLocks.create();
        this.locker = locks.locker(name);
    }

    /** A locker with the namespace and the store of another one. */
    RecordingLocker(String name, RecordingLocker other) {
        this.locks = other.locks;
        this.locker = locks.locker(LockerSettings.of(name).withNamespace(other.name()));
    }

    @Override
    public String name() {
        return locker.name();
    }

    @Override
    public Object lockSpace() {
        return locker.lockSpace();
    }

    @Override
    public String visibleKey(String key) {
        return visible.apply(key);
    }

    @Override
    public Duration waitTime() {
        return WAIT_TIME;
    }

    @Override
    public Optional<LockHandle> tryLock(LockRequest request) {
        requests.add(request);
        beforeAnswer.run();
        if (broken != null) {
            throw broken;
        }
        return locker.tryLock(request.withWaitTime(Duration.ZERO)).map(lock -> {
            RecordingHandle handle = new RecordingHandle(lock);
            granted.add(handle);
            return handle;
        });
    }

    @Override
    public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
        if (pending != null) {
            requests.add(request);
            return pending;
        }
        if (answering != null) {
            return CompletableFuture.supplyAsync(() -> tryLock(request), answering);
        }
        try {
            return CompletableFuture.completedFuture(tryLock(request));
        } catch (RuntimeException ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    @Override
    public CompletionStage<LockNotAcquiredException> notAcquired(String key, Duration waited) {
        return onNotAcquired == null ? Locker.super.notAcquired(key, waited) : onNotAcquired.get();
    }

    boolean isHeld(String key) {
        return locks.held().stream().anyMatch(lock -> lock.key().equals(key));
    }

    int heldCount() {
        return locks.held().size();
    }

    /** Grants a lock as the answer to a pending request, as soon as a release of another thread has ended. */
    RecordingHandle grant(String key) {
        return new RecordingHandle(locker.lock(key));
    }

    /** Lets another process hold a key. */
    Disturbance holdElsewhere(String key) {
        return locks.holdElsewhere(key);
    }

    /** Lets the holder of a key lose its lock. */
    void lose(String key) {
        locks.lose(key);
    }

    List<String> requestedKeys() {
        return requests.stream().map(LockRequest::key).toList();
    }

    List<Duration> requestedWaits() {
        List<Duration> waits = new ArrayList<>();
        requests.forEach(request -> waits.add(request.waitTime()));
        return waits;
    }
}
