package io.leasehold.faults;

import org.jspecify.annotations.Nullable;

/**
 * A moment at which the store said that a lock is taken.
 *
 * @param askedAt when it was asked, by {@link System#nanoTime()}
 * @param before for whom it kept the lock just before, {@code null} if the servers could not be asked
 * @param after for whom it kept the lock just after, {@code null} if the servers could not be asked
 */
record Refusal(
        long askedAt, @Nullable Keeper before, @Nullable Keeper after) {

    /** Whether it is what the documentation says of attempts that were not answered. */
    boolean isExplained() {
        return before == Keeper.ATTEMPT_BEING_REMOVED || after == Keeper.ATTEMPT_BEING_REMOVED;
    }

    /** For a message, counted from when the lock should have been free. */
    String toString(long freeSince) {
        return "still %d ms later; kept for %s, then for %s"
                .formatted((askedAt - freeSince) / 1_000_000, before, after);
    }
}
