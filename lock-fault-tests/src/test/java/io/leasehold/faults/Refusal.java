package io.leasehold.faults;

import org.jspecify.annotations.Nullable;

/**
 * A moment at which the store refused a lock because it was taken.
 *
 * @param askedAt the time of the request, by {@link System#nanoTime()}
 * @param before the owner of the lock just before, {@code null} if the servers could not be asked
 * @param after the owner of the lock just after, {@code null} if the servers could not be asked
 */
record Refusal(
        long askedAt, @Nullable LockOwner before, @Nullable LockOwner after) {

    /**
     * Whether an unanswered attempt explains the refusal, as documented.
     *
     * @param mayRefuseFreeLocks whether the store may also refuse a lock without an owner
     */
    boolean isExplained(boolean mayRefuseFreeLocks) {
        return before == LockOwner.ATTEMPT_BEING_REMOVED
                || after == LockOwner.ATTEMPT_BEING_REMOVED
                || mayRefuseFreeLocks && hasNoOwner(before) && hasNoOwner(after);
    }

    private static boolean hasNoOwner(@Nullable LockOwner owner) {
        return owner == null || owner == LockOwner.NONE;
    }

    /** A text for messages, with times since the lock should have been free. */
    String toString(long freeSince) {
        return "still %d ms later; kept for %s, then for %s"
                .formatted((askedAt - freeSince) / 1_000_000, before, after);
    }
}
