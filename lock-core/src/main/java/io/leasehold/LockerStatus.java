package io.leasehold;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A snapshot of a locker of this process.
 *
 * @param locker the locker's name
 * @param backend the kind of its store, such as {@code redis}
 * @param held the locks that this process holds, in no particular order
 * @param waiting the number of callers in this process that wait for a lock
 * @param pendingRemovals the number of acquisitions of unknown outcome that are still being removed from the store
 */
public record LockerStatus(String locker, String backend, List<LockHandle> held, int waiting, int pendingRemovals) {

    /** Keeps a copy of the list. */
    public LockerStatus {
        held = List.copyOf(held);
    }

    /**
     * Returns the shortest remaining time of the locks that this process holds.
     *
     * @return the shortest remaining time, or empty if no lock is held
     */
    public Optional<Duration> leastRemaining() {
        return held.stream().map(LockHandle::remaining).min(Duration::compareTo);
    }
}
