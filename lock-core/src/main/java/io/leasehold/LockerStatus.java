package io.leasehold;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a locker of this process.
 *
 * @param locker the locker's name
 * @param backend the name of its store, such as {@code redis}
 * @param holds the locks that this process holds, in no particular order
 * @param waiters the callers in this process that wait for a lock; those of one lock in their order
 * @param waiting the number of callers in this process that wait for a lock
 * @param pendingRemovals the number of entries whose removal the store has not confirmed yet
 * @param renewalLag how much later than due the last automatic renewals were sent; {@code null} before the first
 */
public record LockerStatus(
        String locker,
        String backend,
        List<Hold> holds,
        List<Waiter> waiters,
        int waiting,
        int pendingRemovals,
        @Nullable Duration renewalLag) {

    private static final Duration YOUNGEST = Duration.ofSeconds(2);

    /** Keeps copies of the lists. */
    public LockerStatus {
        holds = List.copyOf(holds);
        waiters = List.copyOf(waiters);
    }

    /**
     * Creates the snapshot of a locker without locks and callers.
     *
     * @param locker the locker's name
     * @param backend the name of its store
     * @return the snapshot
     */
    public static LockerStatus idle(String locker, String backend) {
        return new LockerStatus(locker, backend, List.of(), List.of(), 0, 0, null);
    }

    /**
     * Returns the locks that this process holds.
     *
     * @return their handles, in no particular order
     */
    public List<LockHandle> held() {
        return holds.stream().map(Hold::handle).toList();
    }

    /**
     * Returns the shortest remaining time of the locks that this process holds. Locks count from their first renewal on,
     * or when they are two seconds old: the release of another process grants a lock for no longer than a second at
     * first, which is no sign of danger.
     *
     * @return the shortest remaining time, or empty if no such lock is held
     */
    public Optional<Duration> leastRemaining() {
        return holds.stream()
                .filter(hold -> hold.renewals() > 0 || hold.age().compareTo(YOUNGEST) >= 0)
                .map(hold -> hold.handle().remaining())
                .min(Duration::compareTo);
    }

    /**
     * Returns the age of the lock that this process has held for the longest time.
     *
     * @return the age, or empty if no lock is held
     */
    public Optional<Duration> oldestHold() {
        return holds.stream().map(Hold::age).max(Duration::compareTo);
    }

    /**
     * Returns the time of the caller that has waited the longest in this process.
     *
     * @return the time, or empty if no caller waits
     */
    public Optional<Duration> longestWait() {
        return waiters.stream().map(Waiter::waited).max(Duration::compareTo);
    }

    /**
     * A lock that this process holds.
     *
     * @param handle the lock
     * @param age how long its present holder has held it
     * @param renewals the number of renewals that the store has confirmed to this holder
     * @param thread the thread that acquired it, {@code null} if it was acquired asynchronously
     */
    public record Hold(
            LockHandle handle,
            Duration age,
            int renewals,
            @Nullable Thread thread) {}

    /**
     * A caller of this process that waits for a lock.
     *
     * @param key the key, masked if the locker masks keys
     * @param waited how long it has waited
     * @param place its place in the queue of this process, from 1; only the first caller sends commands to the store
     * @param thread the thread that waits, {@code null} for an asynchronous caller
     */
    public record Waiter(
            String key,
            Duration waited,
            int place,
            @Nullable Thread thread) {}
}
