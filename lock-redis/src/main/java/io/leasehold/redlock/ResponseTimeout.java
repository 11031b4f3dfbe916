package io.leasehold.redlock;

import io.leasehold.support.Scheduler;
import java.util.function.LongSupplier;

/**
 * The timeout of a wait for answers. If the timeout itself fires late, the process or its machine was paused, and
 * answers that arrived in the meantime may not have been read yet. The timeout is then extended once, by as much as it
 * was late, to at most about twice the original time.
 */
final class ResponseTimeout {

    /** The timeout may fire late by one part of this many without an extension. */
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

    /** Starts the timeout. Running the result cancels it. */
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
