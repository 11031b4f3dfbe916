package io.leasehold;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A lock that was granted. It ends once, as released or as lost, and never comes back.
 *
 * <p>A handle belongs to nobody in particular: any thread that has it may ask, renew and release it. Asking
 * ({@link #isHeld()}, {@link #remaining()}, {@link #requireHeld()}) reads a clock of this machine; it does no I/O and
 * takes no lock. The answer is on the safe side: a handle says that it is no longer held before the store gives the
 * lock to somebody else.
 *
 * <p>What no lease lock can rule out is a pause between the question and the write that follows it. A resource that
 * remembers the highest {@link #fencingToken()} it has seen, and refuses lower ones, rules it out.
 */
public interface LockHandle extends AutoCloseable {

    /**
     * The name of the locker that granted this lock.
     *
     * @return the locker's name
     */
    String locker();

    /**
     * What is locked.
     *
     * @return the key as the caller gave it
     */
    String key();

    /**
     * A number that is greater than that of every earlier grant of the same key, over all processes. It does not change
     * while the lock is held.
     *
     * @return the fencing token
     */
    long fencingToken();

    /**
     * Whether the lock is held at this moment. Once false, it stays false; the one exception is a machine that was
     * suspended: its locks are not held until the store has confirmed them once.
     *
     * @return true if the lock is neither released nor lost, and proven to be held by the store
     */
    boolean isHeld();

    /**
     * How much longer the lock is held if it is not renewed in the meantime.
     *
     * @return the time left, {@link Duration#ZERO} if the lock is not held
     */
    Duration remaining();

    /**
     * Fails unless the lock is held at this moment.
     *
     * @throws LockLostException if the lock is lost
     * @throws IllegalStateException if the lock was released
     */
    void requireHeld();

    /**
     * Renews the lock now, for the ttl it was granted with, and waits for the store's answer.
     *
     * @throws LockLostException if the lock is lost, or is found to be
     * @throws LockBackendException if the store did not answer; the lock is held as long as {@link #remaining()} says
     * @throws IllegalStateException if the lock was released
     * @throws LockInterruptedException if the thread is interrupted while it waits
     */
    void renew();

    /**
     * Renews the lock now, so that it runs for at least the given time from now on; a renewal never shortens. Automatic
     * renewal goes on afterwards when two thirds of the ordinary ttl are left.
     *
     * @param ttl how long the lock is to run from now, at least three times the locker's command timeout
     * @throws LockLostException if the lock is lost, or is found to be
     * @throws LockBackendException if the store did not answer; the lock is held as long as {@link #remaining()} says
     * @throws IllegalArgumentException if the time is too short, or goes beyond the lock's maximum hold time
     * @throws IllegalStateException if the lock was released
     * @throws LockInterruptedException if the thread is interrupted while it waits
     */
    void renew(Duration ttl);

    /**
     * Registers what to do when the lock is lost: at once if it is lost already, never if it ends by release. Called
     * once, on a thread that exists for such callbacks; when those are all busy, later than it should. So it must be
     * short, and a holder that has to be sure asks {@link #isHeld()}.
     *
     * @param callback is told why the lock was lost
     */
    void onLost(Consumer<? super LossReason> callback);

    /**
     * Ends the hold. The first call releases the lock in the store and waits for the answer, no longer than the
     * locker's command timeout; an answer that does not come is asked for in the background until the lock is gone.
     * Never throws because of the store. Does not answer to interrupts; it keeps the flag.
     *
     * @return whether the lock was still held up to this call, as far as the store could tell; false if it was released
     *     or lost before, or if the store did not answer
     */
    default boolean release() {
        return releaseAsync().toCompletableFuture().join();
    }

    /**
     * Does what {@link #release()} does without occupying a thread.
     *
     * @return a stage that ends with what the blocking method returns, never exceptionally. It is completed on the calling
     *     thread if the answer is there before this method returns, and otherwise on one of a few threads for that
     *     purpose. Code that blocks there delays other asynchronous calls; it never delays a renewal
     */
    CompletionStage<Boolean> releaseAsync();

    /** Releases the lock as {@link #release()} does; safe to call after it, and never throws. */
    @Override
    default void close() {
        release();
    }
}
