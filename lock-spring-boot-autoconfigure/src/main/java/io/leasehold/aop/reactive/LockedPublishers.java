package io.leasehold.aop.reactive;

import io.leasehold.LockHandle;
import io.leasehold.annotation.OnLost;
import io.leasehold.aop.invocation.AcquiredLocks;
import io.leasehold.aop.invocation.AsyncLockAcquisition;
import io.leasehold.aop.invocation.LockAcquisition;
import io.leasehold.aop.invocation.LockLosses;
import io.leasehold.aop.invocation.LockedInvocation;
import io.leasehold.aop.invocation.NotAcquiredHandler;
import io.leasehold.aop.reactive.TransactionTurns.Turn;
import io.leasehold.aop.spec.LockSpec;
import io.leasehold.aop.spec.MethodDescriptions;
import io.leasehold.aop.spec.ResultKind;
import io.leasehold.observation.CapturedObservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/**
 * Methods that return a {@code Mono} or a {@code Flux}. Each subscription acquires the lock, calls the method under it,
 * and releases the lock on completion, error or cancellation. In a reactive transaction of the caller, the lock is
 * released at the end of the transaction. The handle is in the Reactor context of the method's publisher, under its
 * type; nested calls for the same lock join it.
 */
public final class LockedPublishers {

    private static final ReactiveTransactionBinding TRANSACTIONS = ReactiveTransactionBinding.ofClassPath();

    private final LockAcquisition acquisition;

    public LockedPublishers(LockAcquisition acquisition) {
        this.acquisition = acquisition;
    }

    /** The result of a call without a key. */
    public static Publisher<?> failed(LockSpec spec, RuntimeException failure) {
        return spec.result() == ResultKind.FLUX ? Flux.error(failure) : Mono.error(failure);
    }

    public Mono<?> mono(LockSpec spec, List<String> keys, MethodInvocation invocation) {
        return Mono.deferContextual(context -> {
            Scheduler scheduler = SubscriberScheduler.current();
            List<LockHandle> ofThread = LockLosses.ownNotTolerated();
            Turn turn = TRANSACTIONS.turn(context, () -> acquisition.lockSpace(spec), keys);
            PendingWork pending = new PendingWork();
            return Mono.usingWhen(
                            attempt(spec, keys, context, scheduler, turn),
                            attempt -> taken(attempt, context).flatMap(locks -> {
                                bind(attempt, locks, spec, context);
                                turn.end();
                                return monoUnder(locks, ofThread, pending, spec, invocation, context);
                            }),
                            attempt -> end(attempt, scheduler, turn, pending),
                            (attempt, failure) -> end(attempt, scheduler, turn, pending),
                            attempt -> end(attempt, scheduler, turn, pending))
                    .onErrorResume(NotTaken.class, ex -> Mono.from(instead(spec, invocation, ex)));
        });
    }

    public Flux<?> flux(LockSpec spec, List<String> keys, MethodInvocation invocation) {
        return Flux.deferContextual(context -> {
            Scheduler scheduler = SubscriberScheduler.current();
            List<LockHandle> ofThread = LockLosses.ownNotTolerated();
            Turn turn = TRANSACTIONS.turn(context, () -> acquisition.lockSpace(spec), keys);
            PendingWork pending = new PendingWork();
            return Flux.usingWhen(
                            attempt(spec, keys, context, scheduler, turn),
                            attempt -> taken(attempt, context).flatMapMany(locks -> {
                                bind(attempt, locks, spec, context);
                                turn.end();
                                return fluxUnder(locks, ofThread, pending, spec, invocation, context);
                            }),
                            attempt -> end(attempt, scheduler, turn, pending),
                            (attempt, failure) -> end(attempt, scheduler, turn, pending),
                            attempt -> end(attempt, scheduler, turn, pending))
                    .onErrorResume(NotTaken.class, ex -> instead(spec, invocation, ex));
        });
    }

    /** The attempt of one subscription. It asks nothing before its end is in the hands of the subscription. */
    private Mono<AsyncLockAcquisition> attempt(
            LockSpec spec, List<String> keys, ContextView context, Scheduler scheduler, Turn turn) {
        Mono<AsyncLockAcquisition> attempt = Mono.fromCallable(() -> {
            ReactiveLockContext outer = ReactiveLockContext.of(context);
            List<LockHandle> enclosing = new ArrayList<>(outer.all());
            enclosing.addAll(TRANSACTIONS.kept(context));
            return LockLosses.Tolerated.call(
                    outer.tolerated(),
                    () -> observed(context, () -> acquisition.prepare(spec, keys, enclosing, scheduler::schedule)));
        });
        return turn.await(scheduler)
                .then(attempt)
                .onErrorMap(NotTaken::new)
                .doOnCancel(turn::end)
                .doOnError(failure -> turn.end());
    }

    private static AsyncLockAcquisition observed(ContextView context, Supplier<AsyncLockAcquisition> work) {
        return CapturedObservation.of(context.getOrDefault(CapturedObservation.CONTEXT_KEY, null))
                .call(work);
    }

    /** Binds the locks to the caller's transaction, if there is one. */
    private static void bind(AsyncLockAcquisition attempt, AcquiredLocks locks, LockSpec spec, ContextView context) {
        TRANSACTIONS.requireHeldAtCommit(context, locks.joined());
        if (!locks.own().isEmpty()) {
            boolean veto = spec.onLost() != OnLost.EVENT;
            attempt.leaveRelease(() -> TRANSACTIONS.takeOver(context, locks.own(), veto));
        }
    }

    private static Mono<AcquiredLocks> taken(AsyncLockAcquisition attempt, ContextView context) {
        AsyncLockAcquisition begun = observed(context, () -> {
            attempt.begin();
            return attempt;
        });
        return Mono.fromFuture(begun.result(), true).onErrorMap(NotTaken::new);
    }

    private static Mono<Object> monoUnder(
            AcquiredLocks locks,
            List<LockHandle> ofThread,
            PendingWork pending,
            LockSpec spec,
            MethodInvocation invocation,
            ContextView outer) {
        Mono<Object> body = ThrownErrors.signalled(
                Mono.from(proceed(spec, locks, pending, invocation, outer)).cast(Object.class));
        if (spec.onLost() == OnLost.INTERRUPT) {
            body = body.takeUntilOther(loss(locks));
        }
        return body.contextWrite(
                        context -> ReactiveLockContext.under(spec, locks, ofThread, counted(pending, context), context))
                .doOnNext(value -> ResultKind.requireValueDone(spec.method(), value))
                .onErrorMap(failure -> failure(spec, locks, failure))
                .flatMap(value -> checked(spec, locks).thenReturn(value))
                .switchIfEmpty(Mono.defer(() -> checked(spec, locks)));
    }

    private static Flux<Object> fluxUnder(
            AcquiredLocks locks,
            List<LockHandle> ofThread,
            PendingWork pending,
            LockSpec spec,
            MethodInvocation invocation,
            ContextView outer) {
        Flux<Object> body = ThrownErrors.signalled(
                Flux.from(proceed(spec, locks, pending, invocation, outer)).cast(Object.class));
        if (spec.onLost() == OnLost.INTERRUPT) {
            body = body.takeUntilOther(loss(locks));
        }
        return body.contextWrite(
                        context -> ReactiveLockContext.under(spec, locks, ofThread, counted(pending, context), context))
                .onErrorMap(failure -> failure(spec, locks, failure))
                .concatWith(Mono.defer(() -> checked(spec, locks)));
    }

    /** A call inside a transaction awaits no commit: that of the transaction follows the call. */
    private static List<PendingWork> counted(PendingWork pending, ContextView context) {
        return TRANSACTIONS.isActive(context) ? List.of() : List.of(pending);
    }

    private static Publisher<?> proceed(
            LockSpec spec, AcquiredLocks locks, PendingWork pending, MethodInvocation invocation, ContextView outer) {
        MethodInvocation call = LockedInvocation.repeatable(invocation);
        if (!MethodDescriptions.isSuspending(spec.method())) {
            return proceed(spec, locks, call);
        }
        CompletableFuture<Void> end = new CompletableFuture<>();
        List<PendingWork> calls = new ArrayList<>(ReactiveLockContext.of(outer).pending());
        calls.add(pending);
        CoroutineLocks.addTo(call.getArguments(), spec, locks, calls, end);
        Publisher<?> result = proceed(spec, locks, call);
        // a coroutine may not notice a cancellation immediately before it begins
        CompletableFuture<Void> start = new CompletableFuture<>();
        Publisher<?> begun = subscriber -> {
            calls.forEach(one -> one.add(start));
            try {
                result.subscribe(subscriber);
            } finally {
                start.complete(null);
            }
        };
        // a result is known shortly before its coroutine counts as completed
        Runnable ended = () -> {
            start.complete(null);
            end.complete(null);
        };
        return result instanceof Mono
                ? Mono.fromDirect(begun).doOnTerminate(ended)
                : Flux.from(begun).doOnTerminate(ended);
    }

    private static Publisher<?> proceed(LockSpec spec, AcquiredLocks locks, MethodInvocation call) {
        try {
            return Objects.requireNonNull(
                    (Publisher<?>) LockedInvocation.proceed(spec, locks, call),
                    () -> MethodDescriptions.describe(spec.method()) + " returned null");
        } catch (Throwable ex) {
            // without hide(), Reactor throws a LinkageError while it subscribes, and no signal ends the lock
            return Mono.error(ex).hide();
        }
    }

    private static Throwable failure(LockSpec spec, AcquiredLocks locks, Throwable ofBody) {
        return Objects.requireNonNullElse(LockLosses.ofAsyncWork(spec, locks, ofBody), ofBody);
    }

    /** Empty, or the failure of a body that ended without one. */
    private static Mono<Object> checked(LockSpec spec, AcquiredLocks locks) {
        Throwable failure = LockLosses.ofAsyncWork(spec, locks, null);
        return failure == null ? Mono.empty() : Mono.error(failure);
    }

    private static Publisher<Object> instead(LockSpec spec, MethodInvocation invocation, NotTaken reason) {
        try {
            Object result = NotAcquiredHandler.handle(spec, LockedInvocation.repeatable(invocation), reason.failure());
            return result instanceof Publisher<?> publisher
                    ? Flux.from(publisher).cast(Object.class)
                    : Mono.justOrEmpty(result);
        } catch (Throwable ex) {
            return Flux.error(ex);
        }
    }

    private static Mono<Void> end(AsyncLockAcquisition attempt, Scheduler scheduler, Turn turn, PendingWork pending) {
        return Mono.defer(() -> {
            turn.end();
            CompletableFuture<Void> released = pending.release(attempt::end);
            return released.isDone() && !released.isCompletedExceptionally()
                    ? Mono.empty()
                    : Mono.fromFuture(released, true).publishOn(scheduler);
        });
    }

    /** Completes when a lock is lost; what it ends is cancelled and looks at its locks then. */
    private static Mono<Object> loss(AcquiredLocks locks) {
        return Mono.create(sink -> {
            Scheduler scheduler = SubscriberScheduler.current();
            locks.own().forEach(handle -> handle.onLost(reason -> scheduler.schedule(sink::success)));
        });
    }

    /** Distinguishes the failure of an acquisition from failures of the body. */
    private static final class NotTaken extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Throwable failure;

        NotTaken(Throwable failure) {
            super(failure.getMessage(), failure, false, false);
            this.failure = failure;
        }

        Throwable failure() {
            return failure;
        }
    }
}
