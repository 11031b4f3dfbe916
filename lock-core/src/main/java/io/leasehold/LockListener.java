package io.leasehold;

import java.time.Duration;

/**
 * Is told what happens to the locks of this process, for metrics, events and logs.
 *
 * <p>Called on the thread on which the thing happened, which may be a thread of the library: an implementation returns
 * quickly and does not block. What it throws is logged and goes no further.
 */
public interface LockListener {

    /**
     * A caller began to ask for a lock. Followed by exactly one {@link #acquireEnded}.
     *
     * @param locker the locker's name
     * @param key what is to be locked
     */
    default void acquireStarted(String locker, String key) {}

    /**
     * A caller's attempt to get a lock ended.
     *
     * @param locker the locker's name
     * @param key what was to be locked
     * @param outcome how it ended
     * @param waited how long it took
     */
    default void acquireEnded(String locker, String key, AcquireOutcome outcome, Duration waited) {}

    /**
     * A lock was released by its holder.
     *
     * @param handle the lock
     * @param held how long it was held
     */
    default void released(LockHandle handle, Duration held) {}

    /**
     * A renewal was answered, or was not.
     *
     * @param handle the lock
     * @param outcome how it ended
     */
    default void renewed(LockHandle handle, RenewOutcome outcome) {}

    /**
     * Two thirds of the ttl have passed without a renewal: if the store does not answer soon, the lock will be lost.
     *
     * @param handle the lock
     */
    default void atRisk(LockHandle handle) {}

    /**
     * A lock was lost while its holder worked.
     *
     * @param handle the lock
     * @param reason why
     * @param held how long it was held
     */
    default void lost(LockHandle handle, LossReason reason, Duration held) {}

    /** How an attempt to get a lock ended. */
    enum AcquireOutcome {
        /** The lock was granted. */
        ACQUIRED,
        /** Others held the lock for the whole wait time. */
        TIMEOUT,
        /** The caller was interrupted, or cancelled the attempt. */
        INTERRUPTED,
        /** The store refused, failed or did not answer. */
        ERROR
    }

    /** How a renewal ended. */
    enum RenewOutcome {
        /** The store confirmed the lock and its new ttl. */
        SUCCESS,
        /** The store did not answer; it is asked again while the lock is valid. */
        FAILURE,
        /** The store says that the lock is gone or has another owner. */
        LOST
    }
}
