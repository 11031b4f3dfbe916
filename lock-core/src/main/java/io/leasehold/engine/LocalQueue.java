package io.leasehold.engine;

import io.leasehold.spi.LockId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The callers of this process that compete for the same lock, in the order of their arrival. Only the head of the queue
 * sends commands to the store; the others wait in memory. A queue exists while a caller waits in it or holds its lock.
 *
 * <p>A releasing holder may hand its lease over to the next waiter, with a new fencing token and without a command to
 * the store. This is lock cohorting (Dice, Marathe, Shavit: "Lock Cohorting", PPoPP 2012). The number of consecutive
 * hand-overs and their total time are limited, so that other processes get the lock. A lease that another process has
 * granted by its release serves each caller that waits at that time once, because processes compete for the lock.
 */
final class LocalQueue implements Lease.Queue {

    /** Few enough that the counter stays behind a clock in microseconds, at any rate of grants. */
    private static final int LEAST_RESERVED = 7;

    private final LocalQueues queues;

    private final String key;

    private @Nullable Waiter first;

    private @Nullable Waiter last;

    private volatile @Nullable Lease lease;

    /** How many times the present lease was handed over, or the last one if there is none. */
    private int handOvers;

    /** How many times the present lease may be handed over for the sake of other processes. */
    private int mostHandOvers;

    /** How many forced releases are under way. The holder that they name is not replaced meanwhile. */
    private int revocations;

    private LocalQueue(LocalQueues queues, Waiter head) {
        this.queues = queues;
        this.key = head.caller.key();
        this.first = head;
        this.last = head;
    }

    @Override
    public LockerState locker() {
        return queues.locker();
    }

    String key() {
        return key;
    }

    /** Created for each command, because a field for it needs 56 bytes more per held lock. */
    @Override
    public LockId id() {
        return LockId.of(locker().settings().namespace(), key);
    }

    @Nullable
    Lease lease() {
        return lease;
    }

    /** The lease, {@code null} if this process does not hold the lock. */
    @Nullable
    Lease heldLease() {
        Lease current = lease;
        return current == null || current.hasEnded() ? null : current;
    }

    /**
     * For how many hand-overs the next lease reserves fencing tokens. A lease that is handed over only once or twice
     * must not reserve many: at a high rate of grants the counter would run ahead of the store's clock (R31). The
     * number is therefore twice the hand-overs of the last lease, so that it doubles while leases use all of it.
     *
     * @param most the greatest number
     */
    synchronized int handOversToReserve(int most) {
        boolean waitersBehindHead = first != last;
        return Math.min(most, waitersBehindHead ? Math.max(LEAST_RESERVED, 2 * handOvers) : LEAST_RESERVED);
    }

    /** Makes the head of the queue the holder of the lock, and removes it from the queue. */
    synchronized void hold(Lease granted) {
        lease = granted;
        handOvers = 0;
        if (first != null && first.atHead) {
            unlink(first);
        }
        mostHandOvers = granted.isProvisional() ? size() : Integer.MAX_VALUE;
    }

    private int size() {
        int size = 0;
        for (Waiter waiter = first; waiter != null; waiter = waiter.next) {
            size++;
        }
        return size;
    }

    @Override
    public boolean handOver(Lease held, long now) {
        Waiter next;
        synchronized (this) {
            next = first;
            if (next == null
                    || revocations > 0
                    || handOvers >= mostHandOvers
                    || held.hasEnded()
                    || !held.mayBeHandedOver(next.caller.terms(), now)) {
                return false;
            }
            // first: if no handle can be created, the waiter stays in the queue
            LeaseHandle handed = held.handOver(now, next.caller.thread());
            unlink(next);
            handOvers++;
            next.handed = handed;
        }
        try {
            held.watchForNextHolder();
        } finally {
            // outside the monitor, because the driver may run a step on this thread
            next.signal();
        }
        return true;
    }

    /** Permits no hand-over until {@link #revocationEnded}. */
    synchronized void revocationStarted() {
        revocations++;
    }

    /**
     * Permits hand-overs again. The present lease is perhaps revoked if the outcome is unknown, and is not handed over any
     * more: the next holder would lose it.
     */
    synchronized void revocationEnded(boolean known) {
        revocations--;
        if (!known) {
            mostHandOvers = 0;
        }
    }

    @Override
    public synchronized boolean end(Lease held) {
        if (held.hasEnded()) {
            return false;
        }
        held.markEnded();
        return true;
    }

    @Override
    public void advance() {
        advance(null);
    }

    /** Advances after the end of a lease, or behind a head that gives up. Has no effect for a head that has left. */
    private void advance(@Nullable Waiter leaving) {
        Waiter next;
        synchronized (this) {
            if (leaving == null) {
                lease = null;
            } else if (first == leaving) {
                unlink(leaving);
            } else {
                return;
            }
            next = first;
            if (next == null) {
                // under the monitor: append() refuses an empty queue, and its caller retries with a new one
                queues.remove(this);
                return;
            }
            next.atHead = true;
        }
        // outside the monitor, because the driver may run a step on this thread
        next.signal();
    }

    /** Signals every waiter to run a step. */
    void signalAll() {
        waiters().forEach(Waiter::signal);
    }

    /** The callers in the queue, in their order. */
    synchronized List<Waiter> waiters() {
        List<Waiter> all = new ArrayList<>();
        for (Waiter waiter = first; waiter != null; waiter = waiter.next) {
            all.add(waiter);
        }
        return all;
    }

    /** Whether it has neither a holder nor a waiter. It then stays so. */
    private boolean isGone() {
        if (lease != null) {
            return false;
        }
        synchronized (this) {
            return first == null && lease == null;
        }
    }

    private synchronized boolean append(Waiter waiter) {
        if (isGone()) {
            return false;
        }
        waiter.previous = last;
        if (last == null) {
            first = waiter;
        } else {
            last.next = waiter;
        }
        last = waiter;
        return true;
    }

    private synchronized boolean leave(Waiter waiter) {
        if (waiter.atHead || waiter.handed != null) {
            return false;
        }
        unlink(waiter);
        return true;
    }

    private void unlink(Waiter waiter) {
        Waiter previous = waiter.previous;
        Waiter next = waiter.next;
        if (previous == null) {
            first = next;
        } else {
            previous.next = next;
        }
        if (next == null) {
            last = previous;
        } else {
            next.previous = previous;
        }
        waiter.previous = null;
        waiter.next = null;
    }

    /** A caller in the queue. The queue changes the links under its monitor. */
    static final class Waiter {

        private final Caller caller;

        private @Nullable Waiter previous;

        private @Nullable Waiter next;

        private @Nullable LocalQueue queue;

        private volatile boolean atHead;

        private volatile @Nullable LeaseHandle handed;

        private volatile boolean waiting;

        private boolean reportedAsLong;

        /** Creates a waiter that is in no queue. */
        Waiter(Caller caller) {
            this.caller = caller;
        }

        Caller caller() {
            return caller;
        }

        /** Whether the caller has to wait. The first caller of a queue may get the lock with its first command. */
        boolean isWaiting() {
            return waiting;
        }

        void startWaiting() {
            waiting = true;
        }

        /** Whether the log has the wait. Only the watchdog reads and sets it. */
        boolean isReportedAsLong() {
            return reportedAsLong;
        }

        void reportedAsLong() {
            reportedAsLong = true;
        }

        /**
         * Joins the queue of the lock, or creates it with the caller at its head. Returns false if the caller would have
         * to wait, but does not.
         */
        boolean join(LocalQueues queues, boolean waits) {
            LocalQueue fresh = new LocalQueue(queues, this);
            while (true) {
                // before others find the queue: after an error of the JVM in between, giveUp() removes it
                queue = fresh;
                atHead = true;
                LocalQueue existing = queues.putIfAbsent(fresh);
                if (existing == null) {
                    return true;
                }
                queue = null;
                atHead = false;
                if (!waits && !existing.isGone()) {
                    return false;
                }
                if (waits && existing.append(this)) {
                    queue = existing;
                    return true;
                }
                // it is being removed, unless that has failed
                queues.remove(existing);
            }
        }

        /**
         * Leaves the queue from behind the head. Returns false if the caller has become the head or has got the lock
         * meanwhile.
         */
        boolean leave() {
            return queue().leave(this);
        }

        /** Leaves the queue from any position. Releases a lock that was handed over meanwhile. */
        void giveUp() {
            if (queue == null || queue.leave(this)) {
                return;
            }
            LeaseHandle given = handed;
            if (given == null) {
                queue.advance(this);
            } else {
                given.abandon();
            }
        }

        LocalQueue queue() {
            return Objects.requireNonNull(queue);
        }

        boolean isAtHead() {
            return atHead;
        }

        @Nullable
        LeaseHandle handed() {
            return handed;
        }

        private void signal() {
            caller.signal();
        }
    }

    /** A caller that waits for a lock. */
    interface Caller {

        String key();

        /** The terms of the lease that the caller wants. */
        LeaseTerms terms();

        /** When the caller began. */
        long startedAt();

        /** The thread that waits, {@code null} for an asynchronous caller. */
        @Nullable
        Thread thread();

        /** Runs a step of the caller, or lets its thread run it. */
        void signal();
    }
}
