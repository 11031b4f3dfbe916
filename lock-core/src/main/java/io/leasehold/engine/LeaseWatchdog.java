package io.leasehold.engine;

import io.leasehold.support.SafeLogging;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews and expires all leases of an engine with one thread. There is no timer per lock. The watchdog iterates over
 * the held leases when the next one is due, sends the due renewals in batches per locker, and ends the expired leases.
 * A lock that is released before its renewal is due costs the watchdog nothing.
 *
 * <p>A store may hint that a lease was revoked. The lease is then renewed in the next check, before its renewal is due.
 * Hints are collected, and followed at most once a second, so that a flood of them cannot become a flood of renewals.
 */
final class LeaseWatchdog {

    private static final Logger log = LoggerFactory.getLogger(LeaseWatchdog.class);

    private static final long AFTER_FAILURE = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long STOOD_STILL = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int MOST_FAILURES = 10;

    private static final long IDLE = Long.MAX_VALUE;

    private static final long PACE_OF_HINTS = TimeUnit.SECONDS.toNanos(1);

    /** Further hints of the same second are ignored. Their leases are renewed when that is due. */
    private static final int MOST_HINTS = 1_000;

    private final Ticker ticker;

    private final Scheduler scheduler;

    private final List<Watched> lockers = new CopyOnWriteArrayList<>();

    private volatile long nextLookAt = IDLE;

    private Scheduler.Task nextLook = () -> {};

    /** The last 64 bits of the tokens of leases that are perhaps revoked; also the monitor of the time below. */
    private final Set<Long> hints = new HashSet<>();

    private long hintsFrom;

    LeaseWatchdog(Ticker ticker, Scheduler scheduler) {
        this.ticker = ticker;
        this.scheduler = scheduler;
        this.hintsFrom = ticker.nanos();
    }

    /** Adds the leases of a locker, before the first one is granted. */
    void add(Watched locker) {
        lockers.add(locker);
    }

    /** Removes the leases of a locker, all of which have ended. */
    void remove(Watched locker) {
        lockers.remove(locker);
    }

    /** Removes the leases of all lockers. A backend that outlives the engine still refers to this watchdog. */
    void close() {
        lockers.clear();
    }

    /** Schedules a check no later than a lease is due. */
    void watch(long dueAt) {
        lookNoLaterThan(dueAt);
    }

    /** Schedules an immediate check, because the machine seems to have been suspended. */
    void hurry() {
        lookNoLaterThan(ticker.nanos());
    }

    /**
     * Renews a lease early, because the store hints that it was revoked. Has no effect if this engine has no such lease.
     *
     * @param tokenLow the last 64 bits of its token
     */
    void revocationHinted(long tokenLow) {
        long at;
        synchronized (hints) {
            if (hints.size() < MOST_HINTS) {
                hints.add(tokenLow);
            }
            at = ticker.nanos() + untilHints();
        }
        lookNoLaterThan(at);
    }

    /** Under the monitor of the hints. */
    private long untilHints() {
        return Math.max(0, hintsFrom - ticker.nanos());
    }

    /** Removes the hints that the present check follows; empty if the last ones were followed within a second. */
    private Set<Long> takeHints() {
        synchronized (hints) {
            if (hints.isEmpty() || untilHints() > 0) {
                return Set.of();
            }
            Set<Long> taken = Set.copyOf(hints);
            hints.clear();
            hintsFrom = ticker.nanos() + PACE_OF_HINTS;
            return taken;
        }
    }

    /** The nanoseconds until the hints that were left are followed. */
    private long untilNextHints() {
        synchronized (hints) {
            return hints.isEmpty() ? IDLE : untilHints();
        }
    }

    private void lookNoLaterThan(long at) {
        if (looksBy(at)) {
            return;
        }
        synchronized (this) {
            // checked again: another thread may have scheduled an earlier check in the meantime
            if (!looksBy(at)) {
                // in this order: a check that could not be scheduled must not keep later ones from being scheduled
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
     * Schedules the next check in place of the former one, which stays if this fails: other leases rely on it. The delay
     * is relative, so it is computed again if this thread was paused before the task was scheduled.
     */
    private void setAlarm(long at) {
        long before;
        do {
            Scheduler.Task former = nextLook;
            before = ticker.nanos();
            nextLook = scheduler.schedule(this::look, at - before);
            former.cancel();
        } while (ticker.nanos() - before > STOOD_STILL);
    }

    private void look() {
        // cleared before the leases are checked: a lease that is granted meanwhile schedules its own check
        synchronized (this) {
            nextLookAt = IDLE;
        }
        try {
            long now = ticker.nanos();
            long next = lookAfterAll(now);
            if (next != IDLE) {
                lookNoLaterThan(now + next);
            }
        } catch (Throwable ex) {
            lookAfterFailure();
            throw ex;
        }
    }

    /** Tries several times: without a timer, the leases that are held now would expire under their holders. */
    private void lookAfterFailure() {
        for (int failures = 0; failures < MOST_FAILURES; failures++) {
            try {
                lookNoLaterThan(ticker.nanos() + AFTER_FAILURE);
                return;
            } catch (Throwable ex) {
                SafeLogging.log(() -> log.error("The next check of the held locks could not be scheduled", ex));
            }
        }
    }

    private long lookAfterAll(long now) {
        long next = IDLE;
        Set<Long> revoked = takeHints();
        for (Watched locker : lockers) {
            try {
                next = Math.min(next, locker.look(now, ticker.wallMillis(), revoked));
            } catch (Throwable ex) {
                next = Math.min(next, AFTER_FAILURE);
                SafeLogging.log(() -> log.error(
                        "The locks of locker '{}' could not be looked after; trying again", locker.name(), ex));
            }
        }
        return Math.min(next, untilNextHints());
    }

    /** The leases of one locker. */
    interface Watched {

        String name();

        /**
         * Checks all leases.
         *
         * @param revoked the last 64 bits of the tokens of leases that are perhaps revoked, and are therefore renewed now
         * @return the nanoseconds until the next check at the latest, {@link Long#MAX_VALUE} for none
         */
        long look(long now, long wallMillis, Set<Long> revoked);
    }
}
