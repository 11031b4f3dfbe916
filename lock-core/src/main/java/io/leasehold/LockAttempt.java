package io.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * One caller's attempt to acquire a lock, for a {@link LockListener}. The start and the end of an attempt are reported
 * with the same object, which has the identity of the attempt: a listener may use it as the key of a map.
 */
public interface LockAttempt {

    /**
     * Returns the name of the locker.
     *
     * @return the locker's name
     */
    String locker();

    /**
     * Returns the key to lock.
     *
     * @return the key, masked if the locker masks keys
     */
    String key();

    /**
     * Returns the thread that blocks until the attempt has ended, and holds the lock afterwards.
     *
     * @return the caller's thread, {@code null} for an asynchronous attempt
     */
    default @Nullable Thread thread() {
        return null;
    }

    /**
     * Returns the lock that was granted.
     *
     * @return the lock, {@code null} while the attempt goes on, and if it ended without a lock
     */
    default @Nullable LockHandle granted() {
        return null;
    }

    /**
     * Returns the failure of the attempt.
     *
     * @return the exception for the caller, {@code null} unless the attempt ended with {@link
     *     LockListener.AcquireOutcome#ERROR}
     */
    default @Nullable LockException failure() {
        return null;
    }

    /**
     * Returns whether the lock was handed over by another holder of this process. The store took no part in such a
     * grant.
     *
     * @return true if the lock was handed over, false if the store granted it or no lock was granted
     */
    default boolean isHandedOver() {
        return false;
    }
}
