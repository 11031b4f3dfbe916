package io.leasehold;

import java.util.concurrent.locks.Lock;

/** Other views of a lock, for code that was written against them. */
public final class LockViews {

    private LockViews() {}

    /**
     * A {@link Lock} for one key.
     *
     * <p>It is not re-entrant, and its owner is the view, not a thread: each call of this method makes a view of its
     * own that holds the lock at most once. {@link Lock#lock()} waits without end, in rounds of a
     * minute; {@link Lock#unlock()} throws {@link LockLostException} if the lock was lost, because this
     * interface has no other place to say so. Conditions are not supported.
     *
     * @param locker who grants the lock
     * @param key what to lock
     * @return the view
     */
    public static Lock asLock(Locker locker, String key) {
        return new LockView(locker, key);
    }
}
