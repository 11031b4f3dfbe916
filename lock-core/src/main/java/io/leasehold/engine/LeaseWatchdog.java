package io.leasehold.engine;

import io.leasehold.support.SafeLogging;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews and expires all leases of an engine with one thread. There is no timer per lock. The watchdog iterates over
 * the held leases when the next one is due, sends the due renewals in batches per locker, and ends the expired leases.
 * A lock that is released before its renewal is due costs the watchdog nothing.
 */
final class LeaseWatchdog {

    private static final Logger log = LoggerFactory.getLogger(LeaseWatchdog.class);

    private static final long AFTER_FAILURE = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long STOOD_STILL = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long IDLE = Long.MAX_VALUE;

    private final Ticker ticker;

    private final Scheduler scheduler;

    private final List<Watched> lockers = new CopyOnWriteArrayList<>();

    private volatile long nextLookAt = IDLE;

    private Scheduler.Task nextLook = () -> {};

    LeaseWatchdog(Ticker ticker, Scheduler scheduler) {
        this.ticker = ticker;
        this.scheduler = scheduler;
    }

    /** Adds the leases of a locker, before the first one is granted. */
    void add(Watched locker) {
        lockers.add(locker);
    }

    /** Removes the leases of a locker, all of which have ended. */
    void remove(Watched locker) {
        lockers.remove(locker);
    }

    /** Schedules a check no later than a lease is due. */
    void watch(long dueAt) {
        lookNoLaterThan(dueAt);
    }

    /** Schedules an immediate check, because the machine seems to have been suspended. */
    void hurry() {
        lookNoLaterThan(ticker.nanos());
    }

    private void lookNoLaterThan(long at) {
        if (looksBy(at)) {
            return;
        }
        synchronized (this) {
            // checked again: another thread may have scheduled an earlier check in the meantime
            if (!looksBy(at)) {
                // in this order: a check that could not be scheduled must not keep later ones from being scheduled
                nextLookAt = IDLE;
                setAlarm(at);
                nextLookAt = at;
            }
        }
    }

    private boolean looksBy(long at) {
        long planned = nextLookAt;
        return planned != IDLE && planned - at <= 0;
    }

    /**
     * Schedules the next check. The delay is relative, so it is computed again if this thread was paused before the
     * task was scheduled.
     */
    private void setAlarm(long at) {
        long before;
        do {
            nextLook.cancel();
            before = ticker.nanos();
            nextLook = scheduler.schedule(this::look, at - before);
        } while (ticker.nanos() - before > STOOD_STILL);
    }

    private void look() {
        // cleared before the leases are checked: a lease that is granted meanwhile schedules its own check
        synchronized (this) {
            nextLookAt = IDLE;
        }
        long now = ticker.nanos();
        long next = AFTER_FAILURE;
        try {
            next = lookAfterAll(now);
        } finally {
            if (next != IDLE) {
                lookNoLaterThan(now + next);
            }
        }
    }

    private long lookAfterAll(long now) {
        long next = IDLE;
        for (Watched locker : lockers) {
            try {
                next = Math.min(next, locker.look(now, ticker.wallMillis()));
            } catch (Throwable ex) {
                next = Math.min(next, AFTER_FAILURE);
                SafeLogging.log(() -> log.error(
                        "The locks of locker '{}' could not be looked after; trying again", locker.name(), ex));
            }
        }
        return next;
    }

    /** The leases of one locker. */
    interface Watched {

        String name();

        /**
         * Checks all leases.
         *
         * @return the nanoseconds until the next check at the latest, {@link Long#MAX_VALUE} for none
         */
        long look(long now, long wallMillis);
    }
}
