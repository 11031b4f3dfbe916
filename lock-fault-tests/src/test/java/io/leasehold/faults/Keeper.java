package io.leasehold.faults;

import io.leasehold.spi.LockId;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * For whom a store keeps a lock that a rival is refused, seen from the processes that may have asked for it. The store is
 * asked for the token, so this is no guess.
 */
enum Keeper {

    /** Nobody, or the store does not tell. */
    NOBODY,

    /** The last lease that was granted. */
    LEASE,

    /**
     * An attempt that failed, and is being removed. It may have got the lock unheard, or it stood in line and its turn has
     * come: then Redis keeps the lock for it for a tenth of a second.
     */
    ATTEMPT_BEING_REMOVED,

    /** An attempt that failed, and that nobody removes. */
    FORGOTTEN_ATTEMPT,

    /** A token that none of the processes knows. */
    STRANGER;

    /** Looks into a store whose servers work. */
    static Keeper of(String key, BreakableStore store, List<FaultyProcess> processes) {
        LockId id = LockId.of(FaultyProcess.NAMESPACE, key);
        List<FaultyProcess> removing =
                processes.stream().filter(FaultyProcess::isRemoving).toList();
        try {
            return store.keptFor(id)
                    .map(token -> of(id, token, processes, removing))
                    .orElse(NOBODY);
        } catch (UncheckedIOException | IllegalStateException notNow) {
            return NOBODY;
        }
    }

    /** A removal that ends while the store is asked was under way nevertheless. */
    private static Keeper of(LockId id, String token, List<FaultyProcess> processes, List<FaultyProcess> removing) {
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
        return STRANGER;
    }
}
