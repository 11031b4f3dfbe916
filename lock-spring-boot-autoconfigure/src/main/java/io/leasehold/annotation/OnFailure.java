package io.leasehold.annotation;

/** The reaction of a {@link DistributedLock} method if others held the lock for the whole wait time. */
public enum OnFailure {

    /** The call throws an {@code io.leasehold.LockNotAcquiredException}. */
    THROW,

    /**
     * After the wait time, the call returns without running the body: {@code null}, an empty {@code Optional} or an
     * empty publisher. A method that returns a primitive has no such result and is rejected at start-up, unless it
     * names a fallback method. Scheduled jobs use {@link SingleInstance}, which does not wait. If the store does not
     * answer, the call is not skipped but fails.
     */
    SKIP
}
