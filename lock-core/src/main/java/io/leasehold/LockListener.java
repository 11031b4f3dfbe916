package io.leasehold;

import java.time.Duration;

/**
 * Receives the events of the locks of this process, for metrics, application events and logs.
 *
 * <p>{@link #acquireStarted}, {@link #acquireEnded} and {@link #released} are called on the thread that acquires or
 * releases, or on a thread for asynchronous calls. A listener that blocks there delays that caller.
 *
 * <p>{@link #connectEnded}, {@link #renewed}, {@link #renewalRound}, {@link #atRisk}, {@link #lost} and {@link
 * #forceReleased} are called on a separate thread, one after the other and in order, and {@link #released} too if the
 * caller had given up. They may be called after the release of the lock. A listener that blocks there delays later
 * events, but never a renewal. If 10,000 events are queued, further events of renewals and connections are dropped, and
 * each drop is logged.
 *
 * <p>An exception that a listener throws is logged and not propagated.
 */
public interface LockListener {

    /**
     * An attempt to open the connections to a locker's store ended. The first acquisition or question of a locker opens
     * them, and so does the next one after a failure. An attempt that ends after the locker was stopped is not reported.
     *
     * @param locker the locker's name
     * @param connected whether the connections are open
     */
    default void connectEnded(String locker, boolean connected) {}

    /**
     * A caller started to acquire a lock, on the thread of the call. Exactly one {@link #acquireEnded(LockAttempt,
     * AcquireOutcome, Duration)} with the same attempt follows.
     *
     * @param attempt the attempt
     */
    default void acquireStarted(LockAttempt attempt) {}

    /**
     * A caller's attempt to acquire a lock ended. If it {@linkplain LockAttempt#granted() got the lock}, the caller
     * gets the handle after this call.
     *
     * @param attempt the attempt
     * @param outcome how the attempt ended
     * @param waited how long the attempt took
     */
    default void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {}

    /**
     * A lock was released by its holder.
     *
     * @param handle the lock
     * @param held how long it was held
     */
    default void released(LockHandle handle, Duration held) {}

    /**
     * A renewal ended, with or without an answer of the store.
     *
     * @param handle the lock
     * @param outcome how the renewal ended
     */
    default void renewed(LockHandle handle, RenewOutcome outcome) {}

    /**
     * Renewals that were sent together ended. {@link #renewed} has been called for each of them before.
     *
     * @param round the renewals
     */
    default void renewalRound(RenewalRound round) {}

    /**
     * Two thirds of the ttl have passed without a renewal; after {@link LockHandle#renew(Duration)} for a longer time, a
     * third of the ttl is left. If the store does not answer soon, the lock will be lost.
     *
     * @param handle the lock
     */
    default void atRisk(LockHandle handle) {}

    /**
     * A lock was lost before its holder released it.
     *
     * @param handle the lock
     * @param reason why the lock was lost
     * @param held how long it was held
     */
    default void lost(LockHandle handle, LossReason reason, Duration held) {}

    /**
     * A forced release that this process was asked for has ended. It may have changed nothing.
     *
     * @param release the request and its outcome
     */
    default void forceReleased(ForcedRelease release) {}

    /** How an attempt to acquire a lock ended. */
    enum AcquireOutcome {
        /** The lock was granted. */
        ACQUIRED,
        /** Other holders held the lock for the whole wait time, or the caller would have waited for itself. */
        TIMEOUT,
        /** The caller was interrupted or cancelled the attempt. */
        INTERRUPTED,
        /** The store refused, failed or did not answer. */
        ERROR
    }

    /** How a renewal ended. */
    enum RenewOutcome {
        /** The store confirmed the lock and its new ttl. */
        SUCCESS,
        /** The store did not answer. The renewal is retried while the lock is valid. */
        FAILURE,
        /** The store answered that the lock is gone, has another owner, or was revoked. */
        LOST
    }
}
