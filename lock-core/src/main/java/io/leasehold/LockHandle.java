package io.leasehold;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A lock that was granted. It ends once, either released or lost, and is never held again.
 *
 * <p>A handle is not bound to a thread. Any thread that has a reference to it may query, renew and release it. The
 * queries {@link #isHeld()}, {@link #remaining()} and {@link #requireHeld()} read a clock of this machine and do not
 * wait for the store. They err on the safe side: the handle reports that the lock is no longer held before the lease
 * expires in the store. A store that loses its data, or whose clock jumps forward, may grant the lock earlier; the next
 * renewal then reports the loss.
 *
 * <p>No lease lock can rule out a pause between such a query and the write that follows it. A resource closes this gap
 * if it remembers the highest {@link #fencingToken()} it has seen and refuses lower ones.
 */
public interface LockHandle extends AutoCloseable {

    /**
     * Returns the name of the locker that granted this lock.
     *
     * @return the locker's name
     */
    String locker();

    /**
     * Returns an identity of the locks of the locker that granted this lock.
     *
     * @return an object that equals the {@link Locker#lockSpace()} of that locker
     */
    default Object lockSpace() {
        return locker();
    }

    /**
     * Returns the locked key.
     *
     * @return the key as {@link Locker#visibleKey(String)} returns it, which is the caller's key unless the locker
     *     masks or customizes keys
     */
    String key();

    /**
     * Returns a number that is greater than the number of every earlier grant of the same key, across all processes. It
     * does not change while the lock is held.
     *
     * @return the fencing token
     */
    long fencingToken();

    /**
     * Returns whether the lock is held at this moment. Once the result is false, it stays false. The only exception is
     * a machine that seems to have been suspended, because its time of day moved further than its monotonic clock: its
     * locks count as not held until the store has confirmed them once.
     *
     * @return true if the lock is neither released nor lost, and the store has confirmed that it is held
     */
    boolean isHeld();

    /**
     * Returns how much longer the lock is held if it is not renewed in the meantime.
     *
     * @return the time left, {@link Duration#ZERO} if the lock is not held
     */
    Duration remaining();

    /**
     * Throws an exception unless the lock is held at this moment.
     *
     * @throws LockLostException if the lock is lost
     * @throws LockBackendException if the store has to confirm the lock first, because this machine seems to have been
     *     suspended
     * @throws IllegalStateException if the lock was released
     */
    void requireHeld();

    /**
     * Returns whether the lock was released or lost. A lock that the store has to confirm first, because this machine
     * seems to have been suspended, is not held and has not ended. Once the result is true, it stays true.
     *
     * @return true if the lock was released or lost
     */
    default boolean hasEnded() {
        try {
            requireHeld();
            return false;
        } catch (LockBackendException unconfirmed) {
            return false;
        } catch (LockLostException | IllegalStateException ended) {
            return true;
        }
    }

    /**
     * Throws an exception unless the lock is held, as {@link #requireHeld()} does. If the store has to confirm the lock
     * first, this method renews the lock and waits for the store's answer.
     *
     * @throws LockLostException if the lock is lost, or the store answers that it is lost
     * @throws LockBackendException if the store did not confirm the lock in time
     * @throws IllegalStateException if the lock was released
     * @throws LockInterruptedException if the thread is interrupted while it waits
     */
    default void requireConfirmed() {
        try {
            requireHeld();
        } catch (LockBackendException unconfirmed) {
            renew();
            requireHeld();
        }
    }

    /**
     * Renews the lock now for the ttl with which it was granted, or for the rest of its maximum hold time if that is
     * shorter, and waits for the store's answer.
     *
     * @throws LockLostException if the lock is lost, or the store answers that it is lost
     * @throws LockBackendException if the store did not confirm the renewal; the lock stays held for the time that
     *     {@link #remaining()} returns
     * @throws IllegalStateException if the lock was released
     * @throws LockInterruptedException if the thread is interrupted while it waits
     */
    void renew();

    /**
     * Renews the lock now, so that the store keeps it for at least the given time from now on, and waits for the
     * store's answer. The lock is held for this time less an allowance for clocks of about one per cent. A renewal
     * never shortens the lock. Automatic renewal resumes when two thirds of the ordinary ttl are left, and then renews
     * for the ordinary ttl again.
     *
     * <p>After a crash of the process, the key stays blocked for the rest of that time. Only row locks end with the
     * process, because their connection does.
     *
     * @param ttl how long the store is to keep the lock from now on, at least three times the locker's command timeout
     * @throws LockLostException if the lock is lost, or the store answers that it is lost
     * @throws LockBackendException if the store did not confirm the renewal; the lock stays held for the time that
     *     {@link #remaining()} returns
     * @throws IllegalArgumentException if the ttl is too short, exceeds the rest of the lock's maximum hold time, or is
     *     longer than 365 days
     * @throws IllegalStateException if the lock was released
     * @throws LockInterruptedException if the thread is interrupted while it waits
     */
    void renew(Duration ttl);

    /**
     * Registers a callback that is called once when the lock is lost. It is called immediately if the lock is already
     * lost, and never if the lock ends by release. It runs on a thread that exists for such callbacks, and is delayed
     * while all of these threads are busy. A callback must therefore be short. A holder that has to be certain calls
     * {@link #isHeld()}.
     *
     * @param callback receives the reason of the loss
     */
    void onLost(Consumer<? super LossReason> callback);

    /**
     * Waives the minimum hold time: the release frees the lock immediately. For a holder that has done no work under the
     * lock. It has no effect after the release, or on a lock that a transaction keeps.
     */
    default void waiveMinHoldTime() {}

    /**
     * Releases the lock. The first call hands the lock over to a caller that waits in this process, or releases it in
     * the store and waits for the answer, no longer than the locker's command timeout. If the store does not answer in
     * time, the release is retried in the background until the lock is gone. This method never throws because of the
     * store. It ignores interrupts and keeps the interrupt flag.
     *
     * @return true if the lock was handed over, or held until this call according to the store; false if it was
     *     released or lost before, or if the store did not answer
     */
    default boolean release() {
        return releaseAsync().toCompletableFuture().join();
    }

    /**
     * Releases the lock as {@link #release()} does, without blocking a thread.
     *
     * @return a stage that completes with the result of the blocking method, never exceptionally. It is completed on
     *     the calling thread if the answer arrives before this method returns, otherwise on one of a few threads for
     *     that purpose. Code that blocks there delays other asynchronous calls, but never a renewal. It may wait for
     *     this stage itself, but not for a stage that depends on it
     */
    CompletionStage<Boolean> releaseAsync();

    /** Releases the lock as {@link #release()} does. Calling it after a release is safe. It never throws. */
    @Override
    default void close() {
        release();
    }
}
