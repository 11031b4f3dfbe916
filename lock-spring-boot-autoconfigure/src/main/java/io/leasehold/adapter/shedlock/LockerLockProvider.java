package io.leasehold.adapter.shedlock;

import io.leasehold.LockBackendException;
import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.Locker;
import io.leasehold.support.SafeLogging;
import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ShedLock's locks, taken from a {@link Locker}. The name of the lock is the key.
 *
 * <p>{@code lockAtMostFor} limits how long a job keeps its lock; it is not the ttl. The lock is renewed while the job
 * runs. The job of a killed process is therefore free after the ttl, and not after {@code lockAtMostFor}. A lock that
 * reaches {@code lockAtMostFor} is released while its job still runs, and a warning is logged. {@code lockAtLeastFor}
 * is the minimum hold time; an extension replaces it. Both are at most 365 days. A {@code lockAtMostFor} that is too
 * short for a ttl, such as one of less than three command timeouts, is refused with an {@link
 * IllegalArgumentException}. The maximum and minimum hold times of the locker do not apply.
 *
 * <p>A lock that is busy is an empty result. If the store fails, {@link io.leasehold.LockBackendException} is thrown
 * and ShedLock does not run the job. An extension succeeds while the lock is held, also if the store does not answer.
 * Locks do not take part in Spring's transactions. This class is thread-safe.
 */
public final class LockerLockProvider implements ExtensibleLockProvider, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LockerLockProvider.class);

    /** The longest time of a setting. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private final Locker locker;

    private final Scheduler timer;

    /** The unlocked jobs whose locks the timer is to release. */
    private final Set<HeldJob> unlocked = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /**
     * Creates a provider.
     *
     * @param locker grants the locks. Its ttl is how long the job of a killed process stays locked; a shorter {@code
     *     lockAtMostFor} replaces it
     */
    public LockerLockProvider(Locker locker) {
        this(locker, Scheduler.daemon("leasehold-shedlock"));
    }

    LockerLockProvider(Locker locker, Scheduler timer) {
        this.locker = locker.withoutTransactions();
        this.timer = timer;
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        Duration atMost = capped(configuration.getLockAtMostFor());
        LockRequest request = LockRequest.of(configuration.getName())
                .withWaitTime(Duration.ZERO)
                .withAutoRenew(true)
                .withMinHoldTime(capped(configuration.getLockAtLeastFor()));
        // an extension may go beyond lockAtMostFor, so the timer ends the lock and not the maximum hold time
        Optional<LockHandle> granted = locker.tryLock(withTtl(request, atMost).withMaxHoldTime(LONGEST));
        if (granted.isEmpty()) {
            reportOwnLock(configuration.getName());
        }
        return granted.map(handle -> heldJob(handle, atMost).asLock(configuration));
    }

    /** Such a job never runs, and ShedLock does not log that it is skipped. */
    private void reportOwnLock(String name) {
        String key = locker.visibleKey(name);
        if (LockContext.findOwn(locker, key).filter(own -> !own.hasEnded()).isPresent()) {
            SafeLogging.log(() -> log.warn(
                    "Job '{}' is skipped: its thread works under this lock of locker '{}' already, as it does in a method"
                            + " with @SchedulerLock and @SingleInstance. Remove one of the two locks",
                    LockState.printable(key),
                    locker.name()));
        }
    }

    private HeldJob heldJob(LockHandle handle, Duration atMost) {
        try {
            return new HeldJob(handle, atMost);
        } catch (Throwable noTimer) {
            // nothing would ever end the lock, and its job does not run
            handle.waiveMinHoldTime();
            handle.release();
            throw noTimer;
        }
    }

    private static Duration capped(Duration time) {
        return time.compareTo(LONGEST) > 0 ? LONGEST : time;
    }

    /** The ttl is that of the locker, unless {@code lockAtMostFor} is shorter. */
    private LockRequest withTtl(LockRequest request, Duration atMost) {
        try {
            // a maximum hold time must not be shorter than the ttl
            locker.requireValid(request.withMaxHoldTime(atMost));
            return request;
        } catch (IllegalArgumentException ex) {
            return withShorterTtl(request, atMost);
        }
    }

    private LockRequest withShorterTtl(LockRequest request, Duration atMost) {
        try {
            LockRequest shorter = request.withTtl(atMost);
            locker.requireValid(shorter);
            return shorter;
        } catch (IllegalArgumentException ex) {
            throw new IllegalArgumentException(
                    "lockAtMostFor of job '" + request.key() + "' is " + atMost
                            + ", too short for the ttl of its lock. Raise lockAtMostFor: " + ex.getMessage(),
                    ex);
        }
    }

    /**
     * Stops the timer. Locks that are held then end by release, or when the application stops. A lock that is only kept
     * for the {@code lockAtLeastFor} of an extension is released.
     */
    @Override
    public void close() {
        timer.close();
        closed = true;
        unlocked.forEach(HeldJob::releaseAsync);
    }

    /**
     * The lock of one run of a job. Its end moves when the run is extended. ShedLock creates a new {@link SimpleLock}
     * for each extension; all of them stand for this lock.
     */
    private final class HeldJob {

        private final LockHandle handle;

        private Scheduler.Task end;

        /** Whether the present minimum hold time of an extension has passed. */
        private boolean releasable = true;

        private boolean isUnlocked;

        /** Which extension the timers belong to; a timer of an earlier one that has already started has no effect. */
        private int extension;

        HeldJob(LockHandle handle, Duration atMost) {
            this.handle = handle;
            this.end = endAfter(atMost, 0);
        }

        SimpleLock asLock(LockConfiguration configuration) {
            return new JobLock(configuration);
        }

        private Scheduler.Task endAfter(Duration atMost, int of) {
            return timer.schedule(() -> reachEnd(atMost, of), atMost.toNanos());
        }

        private synchronized void reachEnd(Duration atMost, int of) {
            if (of != extension) {
                return;
            }
            boolean runs = !isUnlocked && handle.isHeld();
            releaseAsync();
            if (runs) {
                SafeLogging.log(() -> log.warn(
                        "Job '{}' still runs after its lockAtMostFor of {}: its lock of locker '{}' is released, and"
                                + " another instance may run it at the same time (fencing token {}). Raise"
                                + " lockAtMostFor, or extend the lock with LockExtender",
                        LockState.printable(handle.key()),
                        atMost,
                        handle.locker(),
                        handle.fencingToken()));
            }
        }

        private boolean extendHold(Duration atMost, Duration atLeast) {
            try {
                // outside of the monitor: the timer serves other jobs while the store is slow
                handle.renew();
            } catch (LockLostException | IllegalStateException lostOrReleased) {
                return false;
            } catch (LockBackendException ex) {
                SafeLogging.log(() -> log.debug(
                        "The extension of {} is not confirmed by the store; it is valid while the lock is",
                        handle,
                        ex));
            }
            return moveEnd(atMost, atLeast);
        }

        private synchronized boolean moveEnd(Duration atMost, Duration atLeast) {
            try {
                handle.requireHeld();
            } catch (LockLostException | IllegalStateException lostOrReleased) {
                return false;
            } catch (LockBackendException unconfirmed) {
                // the machine seems to have been suspended; ShedLock never unlocks a lock whose extension was refused
            }
            int current = extension + 1;
            Scheduler.Task laterEnd = endAfter(atMost, current);
            if (!atLeast.isZero()) {
                try {
                    timer.schedule(() -> reachMinimum(current), atLeast.toNanos());
                } catch (Throwable noTimer) {
                    laterEnd.cancel();
                    throw noTimer;
                }
            }
            // only now: the lock must never be without an end, nor be kept without a task that releases it
            extension = current;
            end.cancel();
            end = laterEnd;
            // the new lockAtLeastFor replaces the first one; this object keeps it
            handle.waiveMinHoldTime();
            releasable = atLeast.isZero();
            return true;
        }

        private synchronized void reachMinimum(int of) {
            if (of != extension) {
                return;
            }
            releasable = true;
            if (isUnlocked) {
                end.cancel();
                releaseAsync();
            }
        }

        private void releaseAsync() {
            unlocked.remove(this);
            handle.releaseAsync();
        }

        private void release() {
            synchronized (this) {
                isUnlocked = true;
                if (!releasable) {
                    unlocked.add(this);
                    // read after the write: close() either finds this lock, or the provider is found closed here
                    if (!closed) {
                        return;
                    }
                    unlocked.remove(this);
                }
                end.cancel();
            }
            handle.release();
        }

        /** The lock until its next extension. */
        private final class JobLock extends AbstractSimpleLock {

            JobLock(LockConfiguration configuration) {
                super(configuration);
            }

            @Override
            protected void doUnlock() {
                release();
            }

            @Override
            protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
                return extendHold(capped(extended.getLockAtMostFor()), capped(extended.getLockAtLeastFor()))
                        ? Optional.of(new JobLock(extended))
                        : Optional.empty();
            }
        }
    }
}
