package io.leasehold.aop;

import io.leasehold.LockHandle;
import io.leasehold.LossReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A lock that counts its releases and callbacks. */
final class RecordingHandle implements LockHandle {

    private final LockHandle lock;

    private final List<Consumer<? super LossReason>> callbacks = new CopyOnWriteArrayList<>();

    private final AtomicInteger releases = new AtomicInteger();

    /** The failure of the release, if it is to fail. */
    volatile RuntimeException brokenRelease;

    /** What {@link #requireHeld()} throws, if the lock is neither held nor lost. */
    volatile RuntimeException unconfirmed;

    volatile boolean isConfirmedByRenewal;

    /** What each question throws, as if no thread could be created. */
    volatile Error brokenQuestion;

    /** What each release throws. */
    volatile Error errorOfRelease;

    RecordingHandle(LockHandle lock) {
        this.lock = lock;
    }

    int callbackCount() {
        return callbacks.size();
    }

    /** Calls the callbacks as a loss does that coincides with the release. */
    void reportLoss(LossReason reason) {
        callbacks.forEach(callback -> callback.accept(reason));
    }

    int releases() {
        return releases.get();
    }

    @Override
    public String locker() {
        return lock.locker();
    }

    @Override
    public Object lockSpace() {
        return lock.lockSpace();
    }

    @Override
    public String key() {
        return lock.key();
    }

    @Override
    public long fencingToken() {
        return lock.fencingToken();
    }

    @Override
    public boolean isHeld() {
        return unconfirmed == null && brokenQuestion == null && lock.isHeld();
    }

    @Override
    public Duration remaining() {
        return lock.remaining();
    }

    @Override
    public void requireHeld() {
        if (brokenQuestion != null) {
            throw brokenQuestion;
        }
        if (unconfirmed != null) {
            throw unconfirmed;
        }
        lock.requireHeld();
    }

    @Override
    public void renew() {
        lock.renew();
        if (isConfirmedByRenewal) {
            unconfirmed = null;
        }
    }

    @Override
    public void renew(Duration ttl) {
        lock.renew(ttl);
    }

    @Override
    public void onLost(Consumer<? super LossReason> callback) {
        callbacks.add(callback);
        lock.onLost(callback);
    }

    @Override
    public void waiveMinHoldTime() {
        lock.waiveMinHoldTime();
    }

    @Override
    public CompletionStage<Boolean> releaseAsync() {
        releases.incrementAndGet();
        if (errorOfRelease != null) {
            throw errorOfRelease;
        }
        CompletionStage<Boolean> released = lock.releaseAsync();
        return brokenRelease == null ? released : CompletableFuture.failedFuture(brokenRelease);
    }

    @Override
    public String toString() {
        return lock.toString();
    }
}
