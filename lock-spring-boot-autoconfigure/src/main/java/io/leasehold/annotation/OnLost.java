package io.leasehold.annotation;

/**
 * What a call of a {@link DistributedLock} method does when its lock is lost while the body runs. Whatever is chosen,
 * listeners and {@code LockHandle.onLost} callbacks are told.
 */
public enum OnLost {

    /**
     * The call ends with {@code io.leasehold.LockLostException}, even if the body returned, because what it did may
     * have met another holder's work. A transaction that was begun under the lock is not committed. An exception of
     * the body's own wins; the loss is suppressed under it.
     */
    THROW,

    /**
     * As {@link #THROW}, and the thread that runs the body is interrupted at the moment of the loss, so that it does
     * not go on for nothing. The interrupt ends with the body: the caller does not see the flag. Only for bodies that
     * run on the caller's thread; asynchronous work is cancelled instead.
     */
    INTERRUPT,

    /** The body goes on, returns what it returns and commits what it commits; the loss is only told. */
    EVENT
}
