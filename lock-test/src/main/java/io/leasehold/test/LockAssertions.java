package io.leasehold.test;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import org.jspecify.annotations.Nullable;

/** AssertJ assertions for locks. It can be imported statically beside AssertJ's own class. */
public final class LockAssertions {

    private LockAssertions() {}

    /**
     * Begins assertions about a lock.
     *
     * @param handle the lock
     * @return the assertions
     */
    public static LockHandleAssert assertThat(@Nullable LockHandle handle) {
        return new LockHandleAssert(handle);
    }

    /**
     * Begins assertions about a locker.
     *
     * @return the assertions
     */
    public static LockerAssert assertThat(@Nullable Locker locker) {
        return new LockerAssert(locker);
    }
}
