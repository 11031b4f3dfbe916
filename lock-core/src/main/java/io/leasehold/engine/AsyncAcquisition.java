package io.leasehold.engine;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Drives an acquisition without a thread of its own: whatever ends a wait takes the next step. Steps are taken one at a
 * time; a signal that comes during a step makes that thread take another one.
 */
final class AsyncAcquisition extends CompletableFuture<Optional<LockHandle>> implements Runnable {

    private final EngineParts parts;

    private final AtomicInteger signals = new AtomicInteger();

    private final Acquisition acquisition;

    private @Nullable CompletableFuture<?> observed;

    private Scheduler.Task alarm = () -> {};

    AsyncAcquisition(LeaseLocker locker, LockRequest request, Terms terms) {
        this.parts = locker.parts();
        signals.incrementAndGet();
        this.acquisition = new Acquisition(locker, request, terms, Duration.ZERO, this);
    }

    AsyncAcquisition start() {
        drain(1);
        return this;
    }

    /** Signal: something has changed; taken up on a thread that may run what the caller hangs on the result. */
    @Override
    public void run() {
        parts.continuations().execute(this::signal);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            signal();
        }
        return cancelled;
    }

    private void signal() {
        int seen = signals.incrementAndGet();
        if (seen == 1) {
            drain(seen);
        }
    }

    private void drain(int seen) {
        int left = seen;
        while (left != 0) {
            advance();
            left = signals.addAndGet(-left);
        }
    }

    private void advance() {
        alarm.cancel();
        if (isDone()) {
            acquisition.abandon();
            return;
        }
        long waitUntil = acquisition.step();
        if (acquisition.isDone()) {
            finish();
            return;
        }
        CompletableFuture<?> awaited = acquisition.awaited();
        if (awaited != null && awaited != observed) {
            observed = awaited;
            awaited.whenComplete((answer, failure) -> signal());
        }
        alarm = parts.scheduler().schedule(this, waitUntil - parts.ticker().nanos());
    }

    private void finish() {
        try {
            if (!complete(acquisition.result())) {
                acquisition.abandon();
            }
        } catch (RuntimeException ex) {
            completeExceptionally(ex);
        }
    }
}
