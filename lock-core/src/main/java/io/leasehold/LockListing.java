package io.leasehold;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Locks of one namespace that are held according to their store. It is for people. The store is read in steps, so locks
 * that are acquired or released in the meantime may be missing or listed.
 *
 * @param locks the locks, in no particular order
 * @param incomplete why further locks may be held, as a sentence without its full stop; {@code null} if the listing is
 *     complete
 */
public record LockListing(List<Entry> locks, @Nullable String incomplete) {

    /** The greatest number of locks in a listing. */
    public static final int MOST = 10_000;

    /** Copies the list. */
    public LockListing {
        locks = List.copyOf(locks);
    }

    /**
     * Creates the answer of a store that cannot list locks.
     *
     * @param reason the reason, as a sentence without its full stop
     * @return a listing without locks, which is not complete
     */
    public static LockListing unknown(String reason) {
        return new LockListing(List.of(), reason);
    }

    /**
     * Creates a listing from what a store has found, which may be more than was requested.
     *
     * @param found the locks
     * @param limit how many locks were requested
     * @return at most {@code limit} locks; complete if no more were found
     */
    public static LockListing of(List<Entry> found, int limit) {
        return found.size() > limit
                ? new LockListing(found.subList(0, limit), "more than " + limit + " locks are held")
                : new LockListing(found, null);
    }

    /**
     * One lock.
     *
     * @param key the key of the lock. A key that is too long for the store is in the store's shortened form
     * @param state the holder
     */
    public record Entry(String key, LockState.Held state) {}
}
