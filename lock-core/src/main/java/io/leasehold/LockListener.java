package io.leasehold;

import java.time.Duration;

/**
 * Is called for what happens to the locks of this process, for metrics, events and logs.
 *
 * <p>{@link #acquireStarted}, {@link #acquireEnded} and {@link #released} are called on the thread that asks or releases,
 * or on a thread for asynchronous calls; a listener that blocks there delays that caller. {@link #renewed}, {@link #atRisk}
 * and {@link #lost} are called on a thread of their own, one after the other and in order; they may come after the release
 * of the lock. A listener that blocks there delays later calls, never a renewal; when 10,000 calls wait, further ones are
 * dropped, and that is logged. An exception is logged and goes no further.
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
