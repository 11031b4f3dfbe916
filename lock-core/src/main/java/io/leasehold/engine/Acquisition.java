package io.leasehold.engine;

import io.leasehold.LockAttempt;
import io.leasehold.LockBackendException;
import io.leasehold.LockException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener.AcquireOutcome;
import io.leasehold.LockRequest;
import io.leasehold.LossReason;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One caller's attempt to acquire a lock, from joining the queue of this process to the result.
 *
 * <ol>
 *   <li>Behind the head of the {@link LocalQueue}, the caller waits. A releasing holder may hand the lock over to it
 *       there.
 *   <li>At the head, it asks the store with a {@link StoreAcquisition}, whose grant becomes a {@link Lease}.
 *   <li>At the end it leaves neither a token in the store nor a waiter in the queue.
 * </ol>
 *
 * <p>An acquisition itself never blocks. {@link #step} returns until when to wait, and its driver calls it again at
 * that time or when the driver is signalled. One driver blocks a thread, the other needs none. A driver never calls
 * from two threads at the same time. Steps run no code of the application. At the end the driver calls {@link #report},
 * on a thread that may run such code.
 */
final class Acquisition implements LockAttempt, LocalQueue.Caller {

    private static final Duration LONGEST_WAIT = Duration.ofDays(3650);

    private final LocalQueues queues;

    private final LockerState locker;

    private final LockRequest request;

    private final LeaseTerms terms;

    private final Driver driver;

    private final long startedAt;

    private final long deadline;

    private final LocalQueue.Waiter waiter;

    private final AtomicBoolean stopped;

    /** The acquisition from the store, once this caller is at the head of the queue. */
    private @Nullable StoreAcquisition store;

    private boolean countedAsWaiting;

    private @Nullable Lease lease;

    private @Nullable AcquireOutcome outcome;

    private @Nullable LeaseHandle granted;

    private @Nullable LockBackendException failure;

    private long endedAt;

    private boolean reported;

    Acquisition(LocalQueues queues, LockRequest request, LeaseTerms terms, Driver driver) {
        this.queues = queues;
        this.locker = queues.locker();
        this.request = request;
        this.terms = terms;
        this.driver = driver;
        Duration asked = request.waitTime();
        Duration waitTime = asked == null ? locker.settings().waitTime() : asked;
        this.startedAt = now();
        this.deadline = startedAt + (waitTime.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : waitTime).toNanos();
        this.waiter = new LocalQueue.Waiter(this);
        this.stopped = locker.stopped();
    }

    /** Joins the queue. Called once, before the first step. */
    void start() {
        locker.openCalls().incrementAndGet();
        locker.resources().listener().acquireStarted(this);
        if (!waiter.join(queues, deadline != startedAt)) {
            end(AcquireOutcome.TIMEOUT, null, null);
        }
    }

    /**
     * Proceeds as far as possible without waiting. Returns until when to wait; the value has no meaning once
     * {@link #isDone}.
     */
    long step() {
        while (outcome == null) {
            long now = now();
            if (stopped.get() && (store == null || !store.isAsking())) {
                failed(shutDown(), "");
            } else if (waiter.isAtHead()) {
                StoreAcquisition asking = atStore();
                if (asking.hasToWait(now)) {
                    if (asking.isBackingOff()) {
                        countAsWaiting();
                    }
                    return asking.waitUntil();
                }
                stepAtStore(asking, now);
            } else if (waiter.handed() != null) {
                end(AcquireOutcome.ACQUIRED, waiter.handed(), null);
            } else if (now - deadline < 0) {
                countAsWaiting();
                return deadline;
            } else if (waiter.leave()) {
                end(AcquireOutcome.TIMEOUT, null, null);
            }
        }
        return deadline;
    }

    boolean isDone() {
        return outcome != null;
    }

    /** Returns the lock or throws the failure for the caller. */
    Optional<LockHandle> result() {
        if (failure != null) {
            throw failure;
        }
        return Optional.ofNullable(granted);
    }

    /** Notifies the listener of the end, once. Called on a thread that may run code of the application. */
    void report() {
        AcquireOutcome reached = outcome;
        if (reached != null && !reported) {
            reported = true;
            locker.resources().listener().acquireEnded(this, reached, Duration.ofNanos(endedAt - startedAt));
        }
    }

    /**
     * Gives up the attempt, because the caller cancelled it or a step failed. Leaves neither a token in the store nor a
     * waiter in the queue, and releases a lock that was already granted.
     */
    void abandon() {
        if (outcome == null) {
            try {
                leave();
            } finally {
                end(AcquireOutcome.INTERRUPTED, null, null);
            }
        } else if (granted != null) {
            granted.abandon();
        }
    }

    @Override
    public String locker() {
        return locker.name();
    }

    @Override
    public String key() {
        return request.key();
    }

    @Override
    public @Nullable Thread thread() {
        return driver.thread();
    }

    @Override
    public LeaseTerms terms() {
        return terms;
    }

    @Override
    public long startedAt() {
        return startedAt;
    }

    @Override
    public void signal() {
        driver.run();
    }

    @Override
    public @Nullable LockHandle granted() {
        return granted;
    }

    @Override
    public @Nullable LockException failure() {
        return failure;
    }

    @Override
    public boolean isHandedOver() {
        return waiter.handed() != null;
    }

    private long now() {
        return locker.resources().ticker().nanos();
    }

    private StoreAcquisition atStore() {
        StoreAcquisition current = store;
        if (current == null) {
            current = new StoreAcquisition(waiter.queue(), terms, deadline, driver);
            store = current;
        }
        return current;
    }

    private void stepAtStore(StoreAcquisition asking, long now) {
        Lease.Grant grant;
        try {
            grant = asking.step(now);
        } catch (BackendFailure failure) {
            failed(failure, locker.storeOrigin());
            return;
        }
        if (grant != null) {
            accept(asking, grant);
        } else if (asking.hasTimedOut()) {
            leave();
            end(AcquireOutcome.TIMEOUT, null, null);
        }
    }

    private void accept(StoreAcquisition asking, Lease.Grant grant) {
        if (stopped.get()) {
            failed(shutDown(), "");
            return;
        }
        Lease accepted = new Lease(waiter.queue(), terms, key(), grant, thread());
        // from here on, a failed step releases the lease instead of the command's token
        lease = accepted;
        asking.accepted();
        // in the queue before it is watched, so that the watchdog finds it there
        waiter.queue().hold(accepted);
        end(AcquireOutcome.ACQUIRED, accepted.holder(), null);
        accepted.watch();
        // read after the lease is in the queue: a shutdown that missed the lease there has set this flag before
        if (stopped.get()) {
            accepted.lose(LossReason.SHUTDOWN);
        }
    }

    private void failed(BackendFailure failure, String storeOrigin) {
        leave();
        String message = "lock '" + key() + "' of locker '" + locker.name() + "' was not acquired: "
                + failure.getMessage() + storeOrigin;
        end(AcquireOutcome.ERROR, null, new LockBackendException(message, locker.name(), key(), failure));
    }

    private static BackendFailure shutDown() {
        return new BackendFailure(Effect.NOT_DONE, "the locker is being shut down", null);
    }

    /** Leaves nothing in the store and no waiter in the queue. */
    private void leave() {
        try {
            if (store != null) {
                store.leave();
            }
        } finally {
            // a waiter that stays in the queue blocks the key for this process (R34)
            if (lease == null) {
                waiter.giveUp();
            } else {
                lease.holder().abandon();
            }
        }
    }

    private void countAsWaiting() {
        if (!countedAsWaiting) {
            countedAsWaiting = true;
            locker.waiting().incrementAndGet();
            waiter.startWaiting();
            SlowLockLog slowLocks = queues.slowLocks();
            if (slowLocks != null) {
                slowLocks.watchWait(startedAt);
            }
        }
    }

    private void end(AcquireOutcome how, @Nullable LeaseHandle granted, @Nullable LockBackendException failure) {
        outcome = how;
        this.granted = granted;
        this.failure = failure;
        if (countedAsWaiting) {
            locker.waiting().decrementAndGet();
        }
        locker.openCalls().decrementAndGet();
        endedAt = now();
        SlowLockLog slowLocks = queues.slowLocks();
        if (granted != null && slowLocks != null) {
            slowLocks.watchHold(granted.acquiredAt());
        }
    }

    /** Runs the next step after a wait, when {@link #run} is called or the time has come. */
    interface Driver extends Runnable {

        /** The thread that blocks until the end, {@code null} if none does. */
        @Nullable
        Thread thread();
    }
}
