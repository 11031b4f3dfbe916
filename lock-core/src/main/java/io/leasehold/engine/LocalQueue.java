package io.leasehold.engine;

import io.leasehold.spi.LockId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The callers of this process that want the same lock, in the order of their arrival. Only the head of the queue asks the
 * store; the others wait in memory. A queue exists as long as a caller waits in it or holds its lock.
 *
 * <p>A holder that releases may hand its lease over to the next waiter, with a fencing token of its own and without
 * asking the store. This is lock cohorting (Dice, Marathe, Shavit: "Lock Cohorting", PPoPP 2012): the number of
 * hand-overs in a row and their time are limited, so that other processes get the lock.
 */
final class LocalQueue {

    private final LeaseLocker locker;

    private final LockId id;

    private @Nullable Waiter first;

    private @Nullable Waiter last;

    private volatile @Nullable Lease lease;

    private LocalQueue(LeaseLocker locker, LockId id, Waiter head) {
        this.locker = locker;
        this.id = id;
        this.first = head;
        this.last = head;
    }

    /**
     * Joins the queue of a lock, at its head if there is none yet.
     *
     * @return the queue, or {@code null} if the caller does not wait and would have to
     */
    private static @Nullable LocalQueue join(LeaseLocker locker, LockId id, Waiter waiter, boolean waits) {
        LocalQueue fresh = new LocalQueue(locker, id, waiter);
        while (true) {
            LocalQueue queue = locker.queues().putIfAbsent(id, fresh);
            if (queue == null) {
                waiter.atHead = true;
                return fresh;
            }
            if (!waits) {
                return null;
            }
            if (queue.append(waiter)) {
                return queue;
            }
        }
    }

    LeaseLocker locker() {
        return locker;
    }

    LockId id() {
        return id;
    }

    @Nullable
    Lease lease() {
        return lease;
    }

    /** Whether a caller waits behind the head of the queue. */
    synchronized boolean hasWaitersBehindHead() {
        return first != last;
    }

    /** The head of the queue holds the lock from now on, and leaves the queue. */
    synchronized void hold(Lease granted) {
        lease = granted;
        unlinkHead();
    }

    /** Hands a lease over to the next waiter, if there is one and the lease allows it. */
    boolean handOver(Lease held, long now) {
        Waiter next;
        synchronized (this) {
            next = first;
            if (next == null || held.hasEnded() || !held.mayBeHandedOver(next.caller, now)) {
                return false;
            }
            unlink(next);
            next.handed = held.handOver(next.caller, now);
        }
        next.signal();
        return true;
    }

    /** Ends a lease, once. The caller that gets true calls {@link #advance()} when the store is done with the lease. */
    synchronized boolean end(Lease held) {
        if (held.hasEnded()) {
            return false;
        }
        held.markEnded();
        return true;
    }

    /** The head of the queue is done: the next waiter becomes the head, or the queue goes away. */
    void advance() {
        Waiter next;
        synchronized (this) {
            lease = null;
            unlinkHead();
            next = first;
            if (next == null) {
                locker.queues().remove(id, this);
                return;
            }
            next.atHead = true;
        }
        next.signal();
    }

    /** Makes every waiter take a step. */
    void signalAll() {
        List<Waiter> all = new ArrayList<>();
        synchronized (this) {
            for (Waiter waiter = first; waiter != null; waiter = waiter.next) {
                all.add(waiter);
            }
        }
        all.forEach(Waiter::signal);
    }

    private synchronized boolean append(Waiter waiter) {
        boolean gone = first == null && lease == null;
        if (gone) {
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

    private void unlinkHead() {
        if (first != null && first.atHead) {
            unlink(first);
        }
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

    /** A caller in the queue. Its links belong to the queue, which changes them under its monitor. */
    static final class Waiter {

        private final Acquisition caller;

        private final Runnable driver;

        private @Nullable Waiter previous;

        private @Nullable Waiter next;

        private @Nullable LocalQueue queue;

        private volatile boolean atHead;

        private volatile @Nullable LeaseHandle handed;

        /** A caller; the driver makes it take a step. */
        Waiter(Acquisition caller, Runnable driver) {
            this.caller = caller;
            this.driver = driver;
        }

        /** Joins the queue; false if the caller does not wait and would have to. */
        boolean join(boolean waits) {
            queue = LocalQueue.join(caller.locker(), caller.id(), this, waits);
            return queue != null;
        }

        /** Leaves from behind the head; false if the caller has become the head or was handed the lock meanwhile. */
        boolean leave() {
            return queue().leave(this);
        }

        /** Leaves from any place; releases a lock that was handed over meanwhile. */
        void giveUp() {
            if (queue == null || queue.leave(this)) {
                return;
            }
            LeaseHandle given = handed;
            if (given == null) {
                queue.advance();
            } else {
                given.releaseAsync();
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
            driver.run();
        }
    }
}
