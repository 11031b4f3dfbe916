package io.leasehold.annotation;

/** What a call of a {@link DistributedLock} method does when others held the lock for the whole wait time. */
public enum OnFailure {

    /** The call ends with {@code io.leasehold.LockNotAcquiredException}. */
    THROW,

    /**
     * The call returns at once as if there was nothing to do: {@code null}, an empty {@code Optional}, an empty
     * publisher. A method that returns a primitive has nothing of the kind and is refused at start-up, unless it names
     * a fallback method. The wait time comes first: scheduled jobs use {@link SingleInstance}, which does not wait. A store that does not answer is no reason to skip: that call fails.
     */
    SKIP
}
