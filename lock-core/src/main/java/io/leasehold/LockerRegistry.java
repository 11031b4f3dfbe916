package io.leasehold;

import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The lockers of an application, by name. */
public interface LockerRegistry {

    /**
     * Returns the locker with the given name.
     *
     * @param name the name under which the locker was configured
     * @return the locker
     * @throws IllegalArgumentException if no locker has that name; the message lists the existing names
     * @throws LockBackendException if the locker was not used before, and the application is stopped
     */
    Locker get(String name);

    /**
     * Returns the names of all lockers.
     *
     * @return the names, sorted
     */
    Set<String> names();

    /**
     * Returns the present state of a locker. Performs no I/O.
     *
     * @param name the locker's name
     * @return a snapshot
     * @throws IllegalArgumentException if no locker has that name
     */
    LockerStatus status(String name);

    /**
     * Reads from the store which process holds a lock, as {@link Locker#describe(String)} does.
     *
     * @param name the locker's name
     * @param key the key of the lock
     * @return a stage that completes with the state of the lock, or with the failure of the store
     * @throws IllegalArgumentException if no locker has that name
     */
    default CompletionStage<LockState> describe(String name, String key) {
        return get(name).describe(key);
    }

    /**
     * Reads from the store which locks are held, as {@link Locker#list(int)} does.
     *
     * @param name the locker's name
     * @param limit the greatest number of locks
     * @return a stage that completes with the locks, or with the failure of the store
     * @throws IllegalArgumentException if no locker has that name, or the limit is not valid
     */
    default CompletionStage<LockListing> list(String name, int limit) {
        return get(name).list(limit);
    }

    /**
     * Takes a lock from a holder that does not end, as {@link Locker#forceRelease} does.
     *
     * @param name the locker's name
     * @param key the key of the lock
     * @param fencingToken the fencing token of the holder in the lock's state
     * @param requestedBy the person or program that asks for it, for the log
     * @return a stage that completes with the outcome, or fails as that of the locker does
     * @throws IllegalArgumentException if no locker has that name
     */
    default CompletionStage<ForcedRelease> forceRelease(
            String name, String key, long fencingToken, String requestedBy) {
        return get(name).forceRelease(key, fencingToken, requestedBy);
    }
}
