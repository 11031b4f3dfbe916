package io.leasehold.aop.invocation;

import io.leasehold.annotation.OnLost;
import io.leasehold.aop.spec.LockSpec;
import io.leasehold.aop.spec.MethodDescriptions;
import io.leasehold.aop.spec.ResultKind;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * One call of a method that returns a {@code CompletionStage}. The lock is acquired without blocking the caller's
 * thread, and held until the stage of the method is completed. Cancelling the result ends the wait, or cancels the
 * stage of the method. Completing the result, as a timeout does, ends the wait; a method that runs already continues
 * under the lock.
 */
public final class LockedStage {

    private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();

    private final LockSpec spec;

    private final MethodInvocation invocation;

    private final Executor executor;

    private volatile @Nullable CompletableFuture<?> body;

    private volatile boolean begun;

    private LockedStage(LockSpec spec, MethodInvocation invocation, Executor executor) {
        this.spec = spec;
        this.invocation = invocation;
        this.executor = executor;
    }

    public static CompletableFuture<@Nullable Object> run(
            LockSpec spec,
            List<String> keys,
            LockAcquisition acquisition,
            CallerContext context,
            MethodInvocation call) {
        Executor executor = context.executor();
        LockedStage stage = new LockedStage(spec, LockedInvocation.repeatable(call), executor);
        AsyncLockAcquisition attempt;
        try {
            attempt = acquisition.prepare(spec, keys, List.of(), executor);
        } catch (RuntimeException ex) {
            // a lock of the caller that this call would join is lost, or the application stops
            stage.follow(() -> NotAcquiredHandler.handle(spec, call, ex), List.of());
            return stage.result;
        }
        attempt.begin();
        stage.result.whenComplete((value, failure) -> {
            if (stage.result.isCancelled()) {
                stage.cancelBody();
            }
            // has no effect unless the caller completed the result, as orTimeout does, while the lock is waited for
            attempt.giveUp();
        });
        Runnable body = () -> stage.begin(attempt.result());
        if (attempt.result().isDone()) {
            body.run();
        } else {
            stage.continueLater(attempt, context, body);
        }
        return stage.result;
    }

    /**
     * Runs a call on this thread, which waits for the result in any case, because asynchronous execution such as that of
     * {@code @Async} is outside of the lock. All threads of the application's executor may wait in this way, so that none
     * is left to continue a call.
     */
    public static CompletableFuture<@Nullable Object> runHere(
            LockSpec spec, List<String> keys, LockAcquisition acquisition, MethodInvocation call) {
        LockedStage stage = new LockedStage(spec, LockedInvocation.repeatable(call), CallerContext.DEFAULT.executor());
        AcquiredLocks locks;
        try {
            locks = acquisition.acquire(spec, keys);
        } catch (RuntimeException ex) {
            stage.follow(() -> NotAcquiredHandler.handle(spec, call, ex), List.of());
            return stage.result;
        }
        stage.runUnder(locks);
        return stage.result;
    }

    /** Continues in the context of the caller. A decorator of the application that fails must not keep the lock. */
    private void continueLater(AsyncLockAcquisition attempt, CallerContext context, Runnable body) {
        Runnable captured;
        try {
            captured = context.capture(body);
        } catch (Throwable ex) {
            attempt.end();
            throw ex;
        }
        attempt.result().whenComplete((locks, failure) -> {
            try {
                captured.run();
            } catch (Throwable ex) {
                if (begun) {
                    throw ex;
                }
                attempt.end();
                result.completeExceptionally(ex);
            }
        });
    }

    /** Runs the body if the locks were acquired, otherwise its replacement. */
    private void begin(CompletableFuture<AcquiredLocks> acquired) {
        begun = true;
        AcquiredLocks locks;
        try {
            locks = acquired.join();
        } catch (CompletionException | CancellationException ex) {
            follow(() -> NotAcquiredHandler.handle(spec, invocation, AsyncLockAcquisition.causeOf(ex)), List.of());
            return;
        }
        runUnder(locks);
    }

    private void runUnder(AcquiredLocks locks) {
        if (result.isDone()) {
            locks.releaseAsync();
            return;
        }
        follow(() -> LockedInvocation.proceedUntilLoss(spec, locks, invocation), List.of(locks));
        if (spec.onLost() == OnLost.INTERRUPT) {
            // there is a stage to cancel only now; a lock that is lost already calls back immediately
            locks.own()
                    .forEach(
                            handle -> handle.onLost(reason -> AsyncLockAcquisition.resume(executor, this::cancelBody)));
        }
    }

    private void follow(StageCall call, List<AcquiredLocks> locks) {
        CompletionStage<?> stage;
        try {
            stage = Objects.requireNonNull(
                    (CompletionStage<?>) call.call(),
                    () -> MethodDescriptions.describe(spec.method()) + " returned null");
        } catch (Throwable ex) {
            stage = CompletableFuture.failedFuture(ex);
        }
        body = asFuture(stage);
        try {
            stage.whenComplete((value, failure) -> end(value, failure == null ? goesOn(value) : failure, locks));
        } catch (Throwable ex) {
            end(null, ex, locks);
        }
        // last: if it throws, the stage ends the lock nevertheless
        if (result.isCancelled()) {
            cancelBody();
        }
    }

    /** The refusal of a value that goes on without the lock, such as a response whose body is a publisher. */
    private @Nullable Throwable goesOn(@Nullable Object value) {
        try {
            ResultKind.requireValueDone(spec.method(), value);
            return null;
        } catch (Throwable ex) {
            return ex;
        }
    }

    /** Returns {@code null} for a stage that cannot be cancelled, since it cannot be converted to a future. */
    private static @Nullable CompletableFuture<?> asFuture(CompletionStage<?> stage) {
        try {
            return stage.toCompletableFuture();
        } catch (Throwable ex) {
            // unsupported, as a rule; in any case the stage runs and ends the lock
            return null;
        }
    }

    private void end(@Nullable Object value, @Nullable Throwable failureOfBody, List<AcquiredLocks> locks) {
        Throwable failure = failureOfBody == null ? null : AsyncLockAcquisition.causeOf(failureOfBody);
        for (AcquiredLocks held : locks) {
            failure = LockLosses.ofAsyncWork(spec, held, failure);
        }
        Throwable outcome = failure;
        CompletableFuture<?> released = CompletableFuture.allOf(
                locks.stream().map(AcquiredLocks::releaseAsync).toArray(CompletableFuture<?>[]::new));
        if (released.isDone()) {
            complete(value, outcome);
        } else {
            released.whenComplete(
                    (done, ignored) -> AsyncLockAcquisition.resume(executor, () -> complete(value, outcome)));
        }
    }

    private void complete(@Nullable Object value, @Nullable Throwable failure) {
        if (failure == null) {
            result.complete(value);
        } else {
            result.completeExceptionally(failure);
        }
    }

    private void cancelBody() {
        CompletableFuture<?> running = body;
        if (running != null) {
            running.cancel(true);
        }
    }

    /** A call that returns a stage. */
    private interface StageCall {

        @Nullable
        Object call() throws Throwable;
    }
}
