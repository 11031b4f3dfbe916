package io.leasehold.test;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import java.util.List;

/**
 * Checks from inside a locked body that its lock is held. A test calls it from the collaborators that it passes to the
 * code under test, for example from the answer of a mock.
 *
 * <p>The locks of a body belong to its thread, see {@link LockContext}. The continuation of an asynchronous method runs
 * on another thread: check the {@link LockHandle} parameter of the method there, or {@link TestLocks#held(String)}. In
 * Reactor, use {@link ReactiveLockAssert}. A suspending function works under its locks on each thread that continues it.
 */
public final class LockAssert {

    private LockAssert() {}

    /**
     * Checks that this thread works under a lock, and that all locks under which it works are held.
     *
     * @return the innermost lock
     * @throws AssertionError if the thread works under no lock, or one of them is released or lost
     */
    public static LockHandle assertHeld() {
        List<LockHandle> locks = LockContext.all();
        if (locks.isEmpty()) {
            throw new AssertionError("Expected this code to run under a lock, but thread '"
                    + Thread.currentThread().getName() + "' works under none. A method is locked only if it is called"
                    + " through its Spring proxy; locks do not follow the work to other threads.");
        }
        locks.forEach(LockAssert::requireHeld);
        return locks.get(0);
    }

    /**
     * Checks that this thread works under a lock with the given key, and that it is held.
     *
     * @param key the key, in any locker
     * @throws AssertionError if the thread does not work under this lock, or it is released or lost
     */
    public static LockHandle assertHeld(String key) {
        List<LockHandle> locks = LockContext.all();
        LockHandle lock = locks.stream()
                .filter(handle -> TestLocks.isFor(key, handle))
                .findFirst()
                .orElseThrow(() -> new AssertionError("Expected this code to run under a lock with key '" + key
                        + "', but thread '" + Thread.currentThread().getName() + "' works under "
                        + (locks.isEmpty() ? "no lock" : locks)));
        requireHeld(lock);
        return lock;
    }

    /**
     * Checks that this thread works under no lock.
     *
     * @throws AssertionError if it does
     */
    public static void assertNotLocked() {
        List<LockHandle> locks = LockContext.all();
        if (!locks.isEmpty()) {
            throw new AssertionError("Expected this code to run under no lock, but thread '"
                    + Thread.currentThread().getName() + "' works under " + locks);
        }
    }

    static void requireHeld(LockHandle lock) {
        try {
            lock.requireHeld();
        } catch (RuntimeException ex) {
            throw new AssertionError("Expected " + lock + " to be held, but " + ex.getMessage(), ex);
        }
    }
}
