package io.leasehold.adapter.shedlock;

import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock of one run of a job. Its end moves when the run is extended. ShedLock creates a new {@link SimpleLock} for
 * each extension; all of them stand for this lock.
 */
final class HeldJob {

    private static final Logger log = LoggerFactory.getLogger(HeldJob.class);

    private final LockHandle handle;

    private final Scheduler timer;

    private Scheduler.Task end;

    /** Whether the present minimum hold time of an extension has passed. */
    private boolean releasable = true;

    private boolean unlocked;

    /** Which extension the timers belong to; a timer of an earlier one that has already started has no effect. */
    private int extension;

    HeldJob(LockHandle handle, Scheduler timer, Duration atMost) {
        this.handle = handle;
        this.timer = timer;
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
        if (!unlocked && handle.isHeld()) {
            log.warn(
                    "Job '{}' still runs after its lockAtMostFor of {}: its lock of locker '{}' is released, and another"
                            + " instance may run it at the same time (fencing token {}). Raise lockAtMostFor, or extend"
                            + " the lock with LockExtender",
                    handle.key(),
                    atMost,
                    handle.locker(),
                    handle.fencingToken());
        }
        handle.releaseAsync();
    }

    private synchronized boolean moveEnd(Duration atMost, Duration atLeast) {
        if (!handle.isHeld()) {
            return false;
        }
        try {
            handle.renew();
        } catch (LockLostException ex) {
            return false;
        }
        int current = ++extension;
        end.cancel();
        end = endAfter(atMost, current);
        releasable = atLeast.isZero();
        if (!releasable) {
            timer.schedule(() -> reachMinimum(current), atLeast.toNanos());
        }
        return true;
    }

    private synchronized void reachMinimum(int of) {
        if (of != extension) {
            return;
        }
        releasable = true;
        if (unlocked) {
            end.cancel();
            handle.releaseAsync();
        }
    }

    private void release() {
        synchronized (this) {
            unlocked = true;
            if (!releasable) {
                return;
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
            return moveEnd(extended.getLockAtMostFor(), extended.getLockAtLeastFor())
                    ? Optional.of(new JobLock(extended))
                    : Optional.empty();
        }
    }
}
