package io.leasehold;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A handle that is held until a test ends it. */
final class FakeHandle implements LockHandle {

    private final String locker;

    private final String key;

    private @Nullable LossReason lost;

    private boolean released;

    private boolean suspect;

    FakeHandle(String locker, String key) {
        this.locker = locker;
        this.key = key;
    }

    void lose(LossReason reason) {
        lost = reason;
    }

    /** As after a suspension of the machine, until the store has confirmed the lock. */
    void suspect(boolean isSuspect) {
        suspect = isSuspect;
    }

    boolean isReleased() {
        return released;
    }

    @Override
    public String locker() {
        return locker;
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public long fencingToken() {
        return 1;
    }

    @Override
    public boolean isHeld() {
        return lost == null && !released && !suspect;
    }

    @Override
    public Duration remaining() {
        return isHeld() ? Duration.ofSeconds(30) : Duration.ZERO;
    }

    @Override
    public void requireHeld() {
        if (lost != null) {
            throw new LockLostException(locker, key, lost);
        }
        if (released) {
            throw new IllegalStateException("released");
        }
        if (suspect) {
            throw new LockBackendException("suspended", locker, key, null);
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
    public void onLost(Consumer<? super LossReason> callback) {
        throw new AssertionError("not expected");
    }

    @Override
    public CompletionStage<Boolean> releaseAsync() {
        boolean held = isHeld();
        released = true;
        return CompletableFuture.completedFuture(held);
    }
}
