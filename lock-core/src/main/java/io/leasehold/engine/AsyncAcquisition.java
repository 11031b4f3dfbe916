package io.leasehold.engine;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.support.Scheduler;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Drives an acquisition without a thread of its own: whatever ends a wait causes the next step, on its thread. Steps are
 * taken one at a time; a signal that arrives during a step makes its thread take another one.
 *
 * <p>The end is delivered on the engine's executor for asynchronous calls, unless the caller's own thread reaches it before
 * the call returns: what the caller attached to the future may block, and so may a listener (RELIABILITY R38).
 */
final class AsyncAcquisition extends CompletableFuture<Optional<LockHandle>> implements Runnable {

    private final EngineResources resources;

    private final AtomicInteger signals = new AtomicInteger(1);

    private final Acquisition acquisition;

    private Scheduler.Task alarm = () -> {};

    /** Whether the acquisition has ended; signals may still arrive then, and mean nothing (R29). */
    private boolean ended;

    private volatile @Nullable Thread starting = Thread.currentThread();

    AsyncAcquisition(LeaseLocker locker, LockRequest request, LeaseTerms terms) {
        this.resources = locker.resources();
        this.acquisition = new Acquisition(locker, request, terms, this);
    }

    AsyncAcquisition start() {
        try {
            acquisition.start();
        } catch (Throwable ex) {
            fail(ex);
        }
        drain(1);
        starting = null;
        return this;
    }

    /** A signal: something has changed for the waiting caller. */
    @Override
    public void run() {
        if (signals.getAndIncrement() == 0) {
            drain(1);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            run();
        }
        return cancelled;
    }

    /** The caller ends its own wait, as {@link #orTimeout} does: it is given no lock. */
    @Override
    public boolean completeExceptionally(Throwable ex) {
        boolean completed = super.completeExceptionally(ex);
        if (completed) {
            run();
        }
        return completed;
    }

    private void drain(int seen) {
        int left = seen;
        while (left != 0) {
            advance();
            left = signals.addAndGet(-left);
        }
    }

    private void advance() {
        if (ended) {
            return;
        }
        alarm.cancel();
        if (isDone()) {
            // completed by its caller, since the acquisition itself has not ended
            ended = true;
            acquisition.abandon();
            deliver(acquisition::report);
            return;
        }
        try {
            long waitUntil = acquisition.step();
            if (acquisition.isDone()) {
                ended = true;
                deliver(this::complete);
            } else {
                alarm = resources
                        .scheduler()
                        .schedule(this, waitUntil - resources.ticker().nanos());
            }
        } catch (Throwable ex) {
            fail(ex);
        }
    }

    private void complete() {
        acquisition.report();
        Optional<LockHandle> result;
        try {
            result = acquisition.result();
        } catch (RuntimeException ex) {
            super.completeExceptionally(ex);
            return;
        }
        if (!complete(result)) {
            acquisition.abandon();
        }
    }

    private void fail(Throwable ex) {
        ended = true;
        try {
            acquisition.abandon();
        } finally {
            deliver(() -> {
                acquisition.report();
                super.completeExceptionally(ex);
            });
        }
    }

    private void deliver(Runnable end) {
        if (Thread.currentThread() == starting) {
            end.run();
            return;
        }
        try {
            resources.executors().async().execute(end);
        } catch (Throwable ex) {
            // rejected, or no thread to be had: the caller must get its answer all the same
            end.run();
        }
    }
}
