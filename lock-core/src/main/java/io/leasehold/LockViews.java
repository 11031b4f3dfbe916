package io.leasehold;

import java.util.concurrent.locks.Lock;

/** Adapts locks to other interfaces, for code that is written against these interfaces. */
public final class LockViews {

    private LockViews() {}

    /**
     * Returns a {@link Lock} for one key.
     *
     * <p>The lock is not re-entrant. Its owner is the view, not a thread: each call of this method creates a new view,
     * which holds the lock at most once. {@link Lock#lock()} waits indefinitely, in rounds of a minute. {@link
     * Lock#unlock()} throws {@link LockLostException} if the lock was lost, because {@code Lock} has no other way to
     * report the loss. Conditions are not supported.
     *
     * @param locker the locker that grants the lock
     * @param key the key to lock
     * @return the view
     */
    public static Lock asLock(Locker locker, String key) {
        return new LockView(locker, key);
    }
}
