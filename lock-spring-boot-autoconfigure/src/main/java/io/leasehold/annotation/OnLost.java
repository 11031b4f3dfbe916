package io.leasehold.annotation;

/**
 * The reaction of a {@link DistributedLock} method if its lock is lost while the body runs. Listeners and
 * {@code LockHandle.onLost} callbacks are notified in every case.
 */
public enum OnLost {

    /**
     * The call throws an {@code io.leasehold.LockLostException}, even if the body returned, because its work may have
     * overlapped with that of another holder. A transaction that was begun under the lock is not committed. If the body
     * throws an exception, the call throws it, with the loss as a suppressed exception.
     */
    THROW,

    /**
     * Like {@link #THROW}; in addition, the thread that runs the body is interrupted at the moment of the loss, so that
     * it can stop early. The interrupt flag is cleared at the end of the body, so the caller does not see it. A method
     * that returns a {@code CompletionStage} is interrupted until it returns its stage, also if it is {@code @Async};
     * the stage is cancelled afterwards. The work of a publisher or of a suspending function is cancelled instead.
     * Asynchronous work that was cancelled or interrupted fails with the loss. A call that joins the lock of an
     * enclosing call is not interrupted; the enclosing call decides.
     */
    INTERRUPT,

    /** The body continues, and its result and its commit are not affected; the loss is only reported. */
    EVENT
}
