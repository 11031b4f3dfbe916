package io.leasehold.engine;

import io.leasehold.LockState;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the holds and waits of a locker that exceed their threshold, once each, with the stack of the holder's thread.
 *
 * <p>There is no timer per hold. The {@link LeaseWatchdog} checks no later than a tenth of the threshold, and no later
 * than a second, after the threshold was exceeded. Stacks are taken and logged on the executor for events, because an
 * appender may block (rules.md R38).
 */
final class SlowLockLog {

    private static final Logger log = LoggerFactory.getLogger(SlowLockLog.class);

    private static final long NEVER = Long.MAX_VALUE;

    private static final long LONGEST_PACE = TimeUnit.SECONDS.toNanos(1);

    private static final long SHORTEST_PACE = TimeUnit.MILLISECONDS.toNanos(1);

    private final LockerState locker;

    private final long longHold;

    private final long longWait;

    private SlowLockLog(LockerState locker) {
        this.locker = locker;
        this.longHold = nanos(locker.settings().longHoldThreshold());
        this.longWait = nanos(locker.settings().longWaitThreshold());
    }

    /** The log of a locker, {@code null} if it has no threshold. */
    static @Nullable SlowLockLog ifAny(LockerState locker) {
        LockerSettings settings = locker.settings();
        return nanos(settings.longHoldThreshold()) == NEVER && nanos(settings.longWaitThreshold()) == NEVER
                ? null
                : new SlowLockLog(locker);
    }

    private static long nanos(@Nullable Duration threshold) {
        return threshold == null || threshold.isZero() ? NEVER : threshold.toNanos();
    }

    /** Schedules the check of a hold that begins. */
    void watchHold(long since) {
        if (longHold != NEVER) {
            locker.resources().watchdog().watch(since + longHold);
        }
    }

    /** Schedules the check of a wait that begins. */
    void watchWait(long since) {
        if (longWait != NEVER) {
            locker.resources().watchdog().watch(since + longWait);
        }
    }

    /**
     * Checks the holder and the waiters of one lock.
     *
     * @return the nanoseconds until the next check at the latest
     */
    long look(LocalQueue queue, long now) {
        Lease lease = queue.heldLease();
        LeaseHandle holder = lease == null ? null : lease.holder();
        return Math.min(lookAtHolder(holder, now), lookAtWaiters(queue, holder, now));
    }

    private long lookAtHolder(@Nullable LeaseHandle holder, long now) {
        if (longHold == NEVER || holder == null || holder.isReportedAsLong()) {
            return NEVER;
        }
        long age = now - holder.acquiredAt();
        if (age < longHold) {
            return untilNextLook(longHold, age);
        }
        holder.reportedAsLong();
        report(() -> log.warn(
                "Lock '{}' of locker '{}' has been held for {} ms, longer than 'long-hold-threshold' {} (fencing token {}){}",
                LockState.printable(holder.key()),
                locker.name(),
                TimeUnit.NANOSECONDS.toMillis(age),
                Duration.ofNanos(longHold),
                holder.fencingToken(),
                ". It is held by " + describe(holder)));
        return NEVER;
    }

    private long lookAtWaiters(LocalQueue queue, @Nullable LeaseHandle holder, long now) {
        if (longWait == NEVER) {
            return NEVER;
        }
        long next = NEVER;
        int place = 0;
        for (LocalQueue.Waiter waiter : queue.waiters()) {
            place++;
            if (waiter.isReportedAsLong()) {
                continue;
            }
            long waited = now - waiter.caller().startedAt();
            if (waited < longWait) {
                next = Math.min(next, untilNextLook(longWait, waited));
            } else {
                waiter.reportedAsLong();
                report(waiter, place, waited, holder);
            }
        }
        return next;
    }

    private void report(LocalQueue.Waiter waiter, int place, long waited, @Nullable LeaseHandle holder) {
        report(() -> log.warn(
                "{} has waited {} ms for lock '{}' of locker '{}', longer than 'long-wait-threshold' {}, at place {} in"
                        + " this process. {}",
                describe(waiter.caller().thread()),
                TimeUnit.NANOSECONDS.toMillis(waited),
                LockState.printable(waiter.caller().key()),
                locker.name(),
                Duration.ofNanos(longWait),
                place,
                holder == null
                        ? "No caller of this locker holds it in this process"
                        : "It is held by " + describe(holder)));
    }

    private static long untilNextLook(long threshold, long passed) {
        long pace = Math.max(SHORTEST_PACE, Math.min(LONGEST_PACE, threshold / 10));
        return Math.max(pace, threshold - passed);
    }

    private void report(Runnable line) {
        try {
            locker.resources().executors().events().execute(line);
        } catch (RejectedExecutionException ex) {
            log.debug("A line about a long hold or wait was dropped", ex);
        }
    }

    private static String describe(@Nullable Thread waiter) {
        return waiter == null ? "An asynchronous caller" : "Thread '" + name(waiter) + "'";
    }

    private static String describe(LeaseHandle holder) {
        Thread thread = holder.thread();
        if (thread == null) {
            return "a caller that acquired it asynchronously";
        }
        StackTraceElement[] stack = thread.getStackTrace();
        if (stack.length == 0) {
            return "thread '" + name(thread) + "', which has ended";
        }
        // read after the stack was taken, which a hold that ends later has
        if (holder.hasEnded()) {
            return "thread '" + name(thread) + "', whose hold has ended since";
        }
        StringBuilder text = new StringBuilder("thread '").append(name(thread)).append("':");
        for (StackTraceElement frame : stack) {
            text.append("\n\tat ").append(frame);
        }
        return text.toString();
    }

    private static String name(Thread thread) {
        return LockState.printable(thread.getName());
    }
}
