package io.leasehold.redlock;

import io.leasehold.support.Scheduler;
import java.util.function.LongSupplier;

/**
 * The end of a wait for answers. If it comes late itself, this process or its machine stood still, and answers that have
 * arrived meanwhile were not read yet. Then it comes again, as much later as it was late, within twice the time.
 */
final class ResponseTimeout {

    /** By what part of the time an end may come late. */
    private static final int PARTS = 10;

    private final Scheduler scheduler;

    private final LongSupplier nanoTime;

    private final long nanos;

    private final Runnable end;

    private final long since;

    private Scheduler.Task pending = () -> {};

    private boolean givenUp;

    ResponseTimeout(Scheduler scheduler, LongSupplier nanoTime, long nanos, Runnable end) {
        this.scheduler = scheduler;
        this.nanoTime = nanoTime;
        this.nanos = nanos;
        this.end = end;
        this.since = nanoTime.getAsLong();
    }

    /** Begins to wait; what it returns gives up on it. */
    synchronized Runnable begin() {
        pending = scheduler.schedule(this::timeUp, nanos);
        return this::giveUp;
    }

    private synchronized void giveUp() {
        givenUp = true;
        pending.cancel();
    }

    private void timeUp() {
        long late = nanoTime.getAsLong() - since - nanos;
        if (late < nanos / PARTS) {
            end.run();
            return;
        }
        synchronized (this) {
            if (!givenUp) {
                pending = scheduler.schedule(end, Math.max(Math.min(late, nanos - late), nanos / PARTS));
            }
        }
    }
}
