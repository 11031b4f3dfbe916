package io.leasehold;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a locker of this process is doing at one moment.
 *
 * @param locker the locker's name
 * @param backend the kind of store it locks in, such as {@code redis}
 * @param held the locks that are held here, in no particular order
 * @param waiting how many callers wait for a lock here
 * @param pendingRemovals how many acquisitions of unknown outcome are still being removed from the store
 */
public record LockerStatus(String locker, String backend, List<LockHandle> held, int waiting, int pendingRemovals) {

    /** Keeps a copy of the list. */
    public LockerStatus {
        held = List.copyOf(held);
    }

    /**
     * The least remaining validity over the locks that are held here.
     *
     * @return the least time left, or empty if none is held
     */
    public Optional<Duration> leastRemaining() {
        return held.stream().map(LockHandle::remaining).min(Duration::compareTo);
    }
}
