package io.leasehold.actuate;

import io.leasehold.LockState;
import io.leasehold.LockerStatus;
import io.leasehold.actuate.CircuitBreakerProbe.CircuitBreakerState;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One locker of this process in the answer of the {@link LocksEndpoint}.
 *
 * @param backend its store; {@code none} if the locker has not been used yet or does not belong to this library
 * @param held the locks held by this process
 * @param waiting how many callers of this process wait
 * @param waiters the callers of this process that wait, at most {@value #MOST_WAITERS}
 * @param pendingRemovals how many entries are being removed from the store
 * @param circuitBreaker the state of its circuit breaker, {@code null} if it has none
 */
public record LockerDescriptor(
        String backend,
        List<HeldDescriptor> held,
        int waiting,
        List<WaiterDescriptor> waiters,
        int pendingRemovals,
        @Nullable CircuitBreakerState circuitBreaker) {

    private static final int MOST_WAITERS = 1000;

    static LockerDescriptor of(LockerStatus status, @Nullable CircuitBreakerState circuitBreaker, boolean showValues) {
        return new LockerDescriptor(
                status.backend(),
                status.holds().stream().map(hold -> describe(hold, showValues)).toList(),
                status.waiting(),
                status.waiters().stream()
                        .limit(MOST_WAITERS)
                        .map(waiter -> describe(waiter, showValues))
                        .toList(),
                status.pendingRemovals(),
                circuitBreaker);
    }

    private static HeldDescriptor describe(LockerStatus.Hold hold, boolean showValues) {
        return new HeldDescriptor(
                showValues ? hold.handle().key() : LockDescriptor.MASK,
                hold.handle().fencingToken(),
                hold.handle().remaining(),
                hold.age(),
                hold.renewals(),
                name(hold.thread(), showValues));
    }

    private static WaiterDescriptor describe(LockerStatus.Waiter waiter, boolean showValues) {
        return new WaiterDescriptor(
                showValues ? waiter.key() : LockDescriptor.MASK,
                waiter.waited(),
                waiter.place(),
                name(waiter.thread(), showValues));
    }

    private static @Nullable String name(@Nullable Thread thread, boolean showValues) {
        if (thread == null) {
            return null;
        }
        // the number with which stores name the thread; a virtual thread often has no other name
        String number = "thread " + thread.getId();
        String name = LockState.printable(thread.getName());
        return !showValues ? LockDescriptor.MASK : name.isEmpty() ? number : name + ", " + number;
    }

    /**
     * One held lock.
     *
     * @param key the key, or a mask
     * @param fencingToken the lock's fencing token
     * @param remaining how much longer it is held if it is not renewed
     * @param age how long its present holder has held it
     * @param renewals how many renewals the store has confirmed to this holder
     * @param thread the name of the thread that acquired it, or a mask; {@code null} if it was acquired asynchronously
     */
    public record HeldDescriptor(
            String key,
            long fencingToken,
            Duration remaining,
            Duration age,
            int renewals,
            @Nullable String thread) {}

    /**
     * One caller that waits for a lock.
     *
     * @param key the key, or a mask
     * @param waited how long it has waited
     * @param place its place in the queue of this process, from 1; only the first caller sends commands to the store
     * @param thread the name of the thread that waits, or a mask; {@code null} for an asynchronous caller
     */
    public record WaiterDescriptor(
            String key,
            Duration waited,
            int place,
            @Nullable String thread) {}
}
