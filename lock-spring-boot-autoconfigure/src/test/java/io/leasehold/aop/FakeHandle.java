package io.leasehold.aop;

import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.LossReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A handle of a {@link FakeLocker}. Tells of its loss on the thread on which the test lets it be lost. */
final class FakeHandle implements LockHandle {

    private final FakeLocker locker;

    private final String key;

    private final long fence;

    private final List<Consumer<? super LossReason>> callbacks = new ArrayList<>();

    private LossReason loss;

    private boolean released;

    int releases;

    RuntimeException brokenRelease;

    FakeHandle(FakeLocker locker, String key, long fence) {
        this.locker = locker;
        this.key = key;
        this.fence = fence;
    }

    @Override
    public String locker() {
        return locker.name();
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public long fencingToken() {
        return fence;
    }

    @Override
    public synchronized boolean isHeld() {
        return !released && loss == null;
    }

    @Override
    public Duration remaining() {
        return isHeld() ? Duration.ofSeconds(30) : Duration.ZERO;
    }

    @Override
    public synchronized void requireHeld() {
        if (loss != null) {
            throw new LockLostException(locker(), key, loss);
        }
        if (released) {
            throw new IllegalStateException("released");
        }
    }

    @Override
    public void renew() {
        requireHeld();
    }

    @Override
    public void renew(Duration ttl) {
        requireHeld();
    }

    @Override
    public synchronized void onLost(Consumer<? super LossReason> callback) {
        if (loss != null) {
            callback.accept(loss);
        } else {
            callbacks.add(callback);
        }
    }

    void lose(LossReason reason) {
        List<Consumer<? super LossReason>> told;
        synchronized (this) {
            loss = reason;
            told = List.copyOf(callbacks);
        }
        told.forEach(callback -> callback.accept(reason));
    }

    synchronized int callbackCount() {
        return callbacks.size();
    }

    @Override
    public CompletionStage<Boolean> releaseAsync() {
        boolean held;
        synchronized (this) {
            releases++;
            held = !released && loss == null;
            released = held || released;
        }
        locker.free(this);
        if (brokenRelease != null) {
            return CompletableFuture.failedFuture(brokenRelease);
        }
        return CompletableFuture.completedFuture(held);
    }
}
