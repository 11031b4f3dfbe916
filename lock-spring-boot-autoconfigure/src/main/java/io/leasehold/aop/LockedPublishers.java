package io.leasehold.aop;

import io.leasehold.LockHandle;
import io.leasehold.annotation.OnLost;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Methods that return a {@code Mono} or a {@code Flux}: each subscription takes the lock, calls the method under it,
 * and releases the lock on completion, error or cancellation. The handle is in the Reactor context of the method's
 * publisher, by its type; nested calls that find theirs there join it.
 */
final class LockedPublishers {

    private static final String ENCLOSING = LockedPublishers.class.getName() + ".enclosing";

    private final LockAcquisition acquisition;

    private final WithoutLock withoutLock;

    LockedPublishers(LockAcquisition acquisition, WithoutLock withoutLock) {
        this.acquisition = acquisition;
        this.withoutLock = withoutLock;
    }

    Mono<?> mono(LockSpec spec, LockKeySet keys, MethodInvocation invocation) {
        return Mono.deferContextual(context -> Mono.usingWhen(
                        attempt(spec, keys, enclosing(context)),
                        attempt -> taken(attempt).flatMap(locks -> monoUnder(locks, spec, invocation)),
                        LockedPublishers::end,
                        (attempt, failure) -> end(attempt),
                        LockedPublishers::end)
                .onErrorResume(NotTaken.class, ex -> Mono.from(instead(spec, invocation, ex))));
    }

    Flux<?> flux(LockSpec spec, LockKeySet keys, MethodInvocation invocation) {
        return Flux.deferContextual(context -> Flux.usingWhen(
                        attempt(spec, keys, enclosing(context)),
                        attempt -> taken(attempt).flatMapMany(locks -> fluxUnder(locks, spec, invocation)),
                        LockedPublishers::end,
                        (attempt, failure) -> end(attempt),
                        LockedPublishers::end)
                .onErrorResume(NotTaken.class, ex -> instead(spec, invocation, ex)));
    }

    private Mono<LockAttempt> attempt(LockSpec spec, LockKeySet keys, Collection<LockHandle> enclosing) {
        return Mono.fromCallable(() -> acquisition.start(
                spec, keys, enclosing, task -> Schedulers.parallel().schedule(task)));
    }

    private static Mono<HeldLocks> taken(LockAttempt attempt) {
        return Mono.fromFuture(attempt.result(), true).onErrorMap(NotTaken::new);
    }

    private static Mono<Object> monoUnder(HeldLocks locks, LockSpec spec, MethodInvocation invocation) {
        Mono<Object> body = Mono.from(proceed(spec, locks, invocation)).cast(Object.class);
        if (spec.onLost() == OnLost.INTERRUPT) {
            body = body.takeUntilOther(loss(locks));
        }
        return body.contextWrite(context -> under(locks, context))
                .onErrorMap(failure -> failure(spec, locks, failure))
                .flatMap(value -> checked(spec, locks).thenReturn(value))
                .switchIfEmpty(Mono.defer(() -> checked(spec, locks)));
    }

    private static Flux<Object> fluxUnder(HeldLocks locks, LockSpec spec, MethodInvocation invocation) {
        Flux<Object> body = Flux.from(proceed(spec, locks, invocation)).cast(Object.class);
        if (spec.onLost() == OnLost.INTERRUPT) {
            body = body.takeUntilOther(loss(locks));
        }
        return body.contextWrite(context -> under(locks, context))
                .onErrorMap(failure -> failure(spec, locks, failure))
                .concatWith(Mono.defer(() -> checked(spec, locks)));
    }

    private static Publisher<?> proceed(LockSpec spec, HeldLocks locks, MethodInvocation invocation) {
        try {
            return Objects.requireNonNull(
                    (Publisher<?>) BodyCall.proceed(spec, locks, Invocations.repeatable(invocation)),
                    () -> Methods.describe(spec.method()) + " returned null");
        } catch (Exception ex) {
            return Mono.error(ex);
        }
    }

    private static Throwable failure(LockSpec spec, HeldLocks locks, Throwable ofBody) {
        return Objects.requireNonNullElse(AsyncEnd.failure(spec, locks, ofBody), ofBody);
    }

    /** Empty, or the failure of a body that ended without one. */
    private static Mono<Object> checked(LockSpec spec, HeldLocks locks) {
        Throwable failure = AsyncEnd.failure(spec, locks, null);
        return failure == null ? Mono.empty() : Mono.error(failure);
    }

    private Publisher<Object> instead(LockSpec spec, MethodInvocation invocation, NotTaken reason) {
        try {
            Object result = withoutLock.handle(spec, Invocations.repeatable(invocation), reason.failure());
            return result == null
                    ? Flux.empty()
                    : Flux.from((Publisher<?>) result).cast(Object.class);
        } catch (Throwable ex) {
            return Flux.error(ex);
        }
    }

    private static Mono<Void> end(LockAttempt attempt) {
        return Mono.defer(() -> {
            CompletableFuture<Void> released = attempt.end();
            return released.isDone()
                    ? Mono.empty()
                    : Mono.fromFuture(released, true).publishOn(Schedulers.parallel());
        });
    }

    /** Completes when a lock is lost; what it ends is cancelled and looks at its locks then. */
    private static Mono<Object> loss(HeldLocks locks) {
        return Mono.create(sink -> locks.own()
                .forEach(handle -> handle.onLost(reason -> Schedulers.parallel().schedule(sink::success))));
    }

    private static Collection<LockHandle> enclosing(ContextView context) {
        return context.<Collection<LockHandle>>getOrEmpty(ENCLOSING).orElse(List.of());
    }

    private static Context under(HeldLocks locks, Context context) {
        List<LockHandle> all = new ArrayList<>(locks.all());
        all.addAll(enclosing(context));
        LockHandle innermost = locks.all().get(locks.all().size() - 1);
        return context.put(ENCLOSING, List.copyOf(all)).put(LockHandle.class, innermost);
    }

    /** Carries the failure of an acquisition past the body's own. */
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
