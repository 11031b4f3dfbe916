package io.leasehold.observation;

import org.jspecify.annotations.Nullable;

/** The context of an observed hold. */
public final class LockHoldContext extends LockObservationContext {

    private final long fencingToken;

    private boolean ended;

    private boolean lost;

    LockHoldContext(String locker, String backend, @Nullable String key, long fencingToken) {
        super(locker, backend, key);
        this.fencingToken = fencingToken;
    }

    /** The fencing token of the hold. */
    public long fencingToken() {
        return fencingToken;
    }

    /** Whether the hold has ended, by release or by loss. */
    public boolean isEnded() {
        return ended;
    }

    /** Whether the lock was lost. */
    public boolean isLost() {
        return lost;
    }

    void ended(boolean lost) {
        this.ended = true;
        this.lost = lost;
    }
}
