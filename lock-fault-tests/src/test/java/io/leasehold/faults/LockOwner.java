package io.leasehold.faults;

import io.leasehold.spi.LockId;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The owner of a lock that the store refuses to a rival, according to the processes that may have asked for it. The
 * store is asked for the token, so this is not a guess.
 */
enum LockOwner {

    /** There is no owner, or the store cannot name it. */
    NONE,

    /** The last lease that was granted. */
    LEASE,

    /**
     * An attempt that failed and is being removed. The store may have granted it without the answer arriving. Or it was
     * in the queue and was woken; Redis then keeps the lock for it for a tenth of a second, or for a second if a
     * release granted it.
     */
    ATTEMPT_BEING_REMOVED,

    /** An attempt that failed and is not being removed. */
    FORGOTTEN_ATTEMPT,

    /** A token that none of the processes knows. */
    UNKNOWN_TOKEN;

    /** Asks a store whose servers work. */
    static LockOwner of(String key, BreakableStore store, List<FaultyProcess> processes) {
        LockId id = LockId.of(FaultyProcess.NAMESPACE, key);
        List<FaultyProcess> removing =
                processes.stream().filter(FaultyProcess::isRemoving).toList();
        try {
            return store.keptFor(id)
                    .map(token -> of(id, token, processes, removing))
                    .orElse(NONE);
        } catch (UncheckedIOException | IllegalStateException notNow) {
            return NONE;
        }
    }

    /** A removal that ends while the store is asked counts as being removed. */
    private static LockOwner of(LockId id, String token, List<FaultyProcess> processes, List<FaultyProcess> removing) {
        for (FaultyProcess process : processes) {
            OwnTokens tokens = process.tokens();
            if (tokens.isLastGranted(id, token)) {
                return LEASE;
            }
            if (tokens.hasAskedWith(token)) {
                boolean isRemoved = tokens.hasGivenUp(token) && (removing.contains(process) || process.isRemoving());
                return isRemoved ? ATTEMPT_BEING_REMOVED : FORGOTTEN_ATTEMPT;
            }
        }
        return UNKNOWN_TOKEN;
    }
}
