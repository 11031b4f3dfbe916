package io.leasehold.engine;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Trampoline;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Drives an acquisition without a thread of its own. The thread that signals the end of a wait runs the next step.
 * Steps run one at a time: if a signal arrives during a step, the thread of that step runs another one.
 *
 * <p>The result is delivered on the engine's executor for asynchronous calls, because the caller's dependent stages and
 * the listener may block (rules.md R38). If the caller's own thread reaches the end before the call returns, it
 * delivers the result itself. So does a thread that waits for the result: it may be one of the executor's.
 */
final class AsyncAcquisition extends CompletableFuture<Optional<LockHandle>> implements Acquisition.Driver {

    private static final Trampoline SIGNALS = new Trampoline();

    private final EngineResources resources;

    private final AtomicInteger signals = new AtomicInteger(1);

    private final Acquisition acquisition;

    private Scheduler.Task alarm = () -> {};

    /** Whether the acquisition has ended. Signals that arrive afterwards are ignored (R29). */
    private boolean ended;

    private volatile @Nullable Thread starting = Thread.currentThread();

    /** Delivers the result; null before the end, and when a thread has begun to deliver it. */
    private final AtomicReference<@Nullable Runnable> delivery = new AtomicReference<>();

    /** Completes when a thread that waits for the end need not wait any longer. All of them wait for this one. */
    private volatile @Nullable CompletableFuture<Void> awaitedEnd;

    AsyncAcquisition(LocalQueues queues, LockRequest request, LeaseTerms terms) {
        this.resources = queues.locker().resources();
        this.acquisition = new Acquisition(queues, request, terms, this);
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

    /** Signals a change for the waiting caller. */
    @Override
    public void run() {
        // a step may signal the next waiter of the queue, which may do the same, and so on
        SIGNALS.run(this::signalled);
    }

    /** Counts a signal as late as possible: after an error of the JVM in between, no later one would run a step. */
    private void signalled() {
        // only the signal that raises the counter from zero runs steps; a running drain() handles all others
        if (signals.getAndIncrement() == 0) {
            drain(1);
        }
    }

    @Override
    public @Nullable Thread thread() {
        return null;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            run();
        }
        return cancelled;
    }

    /** Ends the wait for the caller, as {@link #completeOnTimeout} does. The caller gets no lock. */
    @Override
    public boolean complete(Optional<LockHandle> value) {
        boolean completed = super.complete(value);
        if (completed) {
            run();
        }
        return completed;
    }

    /** Ends the wait for the caller, as {@link #orTimeout} does. The caller gets no lock. */
    @Override
    public boolean completeExceptionally(Throwable ex) {
        boolean completed = super.completeExceptionally(ex);
        if (completed) {
            run();
        }
        return completed;
    }

    @Override
    public Optional<LockHandle> join() {
        awaitEnd().join();
        deliverNow();
        return super.join();
    }

    @Override
    public Optional<LockHandle> get() throws InterruptedException, ExecutionException {
        awaitEnd().get();
        deliverNow();
        return super.get();
    }

    @Override
    public Optional<LockHandle> get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        long start = resources.ticker().nanos();
        awaitEnd().get(timeout, unit);
        deliverNow();
        return super.get(
                Math.max(0, unit.toNanos(timeout) - (resources.ticker().nanos() - start)), TimeUnit.NANOSECONDS);
    }

    /** Never fails. Completes when the result can be delivered, or when the caller has completed this future. */
    private CompletableFuture<?> awaitEnd() {
        if (isDone()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> end;
        synchronized (delivery) {
            if (awaitedEnd == null) {
                awaitedEnd = new CompletableFuture<>();
                // once: each dependent stage stays until the end, and a caller may poll for days
                whenComplete((result, failure) -> deliverable());
            }
            end = awaitedEnd;
        }
        // read after the field is set: deliver() reads the field after it has set the delivery
        if (delivery.get() != null) {
            end.complete(null);
        }
        return end;
    }

    private void deliverable() {
        CompletableFuture<Void> awaited = awaitedEnd;
        if (awaited != null) {
            awaited.complete(null);
        }
    }

    private void deliverNow() {
        Runnable end = delivery.getAndSet(null);
        if (end != null) {
            end.run();
        }
    }

    private void drain(int seen) {
        int left = seen;
        while (left != 0) {
            try {
                advance();
            } finally {
                // subtracted after the step: signals that arrived during the step remain counted and cause another one
                left = signals.addAndGet(-left);
            }
        }
    }

    private void advance() {
        if (ended) {
            // in this order: the thread that completes this future has taken the delivery before
            if (isDone() && delivery.get() != null) {
                // the caller has given up, so the lock must not wait for a thread that delivers the result
                acquisition.abandon();
            }
            return;
        }
        alarm.cancel();
        if (isDone()) {
            // the caller completed the future, because the acquisition itself has not ended
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
        if (!super.complete(result)) {
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
        delivery.set(end);
        deliverable();
        try {
            resources.executors().async().execute(this::deliverNow);
        } catch (Throwable ex) {
            // rejected, or no thread could be created: the caller must get its result in any case
            deliverNow();
        }
    }
}
