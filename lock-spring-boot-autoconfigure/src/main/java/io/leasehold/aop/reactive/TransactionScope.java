package io.leasehold.aop.reactive;

import io.leasehold.aop.reactive.ReactiveTransactionBinding.SpringTransactions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * One subscription of a transactional publisher. If the subscriber is cancelled, the publishers inside of it end before
 * it does.
 *
 * <p>Spring rolls a transaction back as soon as it is cancelled, even if a transaction that has suspended it is still
 * being rolled back or committed. Both have one context. The outer transaction then completes the synchronizations of
 * the inner one, before its commit has ended, and never its own, which would release its locks. A cancelled publisher
 * that is inside of another one, or has one inside of it, therefore ends with an error inside of its transaction. This
 * error is emitted after the inner publishers have ended.
 */
final class TransactionScope {

    private static final TransactionScope NONE = new TransactionScope(null);

    private final @Nullable TransactionScope outer;

    private final Sinks.Empty<Void> cancellation = Sinks.empty();

    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private final List<TransactionScope> inner = new ArrayList<>();

    private volatile boolean cancelled;

    /** Whether nothing begins inside until the transaction has been rolled back; guarded by {@link #inner}. */
    private boolean closed;

    private volatile Runnable afterFailure = () -> {};

    private TransactionScope(@Nullable TransactionScope outer) {
        this.outer = outer;
    }

    /** The scope of the innermost transactional publisher. */
    static TransactionScope of(ContextView context) {
        return context.<TransactionScope>getOrEmpty(TransactionScope.class).orElse(NONE);
    }

    /** A scope around a publisher, with the transaction inside of the scope. */
    static <T> Mono<T> around(Mono<T> transaction) {
        return Mono.deferContextual(context -> {
            TransactionScope scope = begin(context);
            return Mono.from(Operators.<T, T>lift((source, actual) -> new EndingSubscriber<>(scope, actual, false))
                    .apply(transaction.contextWrite(scope::in)));
        });
    }

    /** As {@link #around(Mono)}. */
    static <T> Flux<T> around(Flux<T> transaction) {
        return Flux.deferContextual(context -> {
            TransactionScope scope = begin(context);
            return Flux.from(Operators.<T, T>lift((source, actual) -> new EndingSubscriber<>(scope, actual, true))
                    .apply(transaction.contextWrite(scope::in)));
        });
    }

    /** The body of the transaction. It ends after the cancelled publishers inside of it. */
    <T> Mono<T> within(Mono<T> body) {
        return within(body.flux()).singleOrEmpty();
    }

    /** As {@link #within(Mono)}. */
    <T> Flux<T> within(Flux<T> body) {
        if (this == NONE) {
            return body;
        }
        Flux<T> begun = cancelled ? Flux.empty() : body.takeUntilOther(cancellation.asMono());
        return begun.onErrorResume(failure -> innerEnded().then(Mono.error(failure)))
                .concatWith(Mono.defer(() -> innerEnded()
                        .then(Mono.defer(() -> cancelled ? Mono.error(new CancelledTransaction()) : Mono.empty()))));
    }

    /** Runs an action if the publisher fails, after its transaction has ended, in place of a former action. */
    void afterFailure(Runnable action) {
        if (this != NONE) {
            afterFailure = action;
        }
    }

    private static TransactionScope begin(ContextView context) {
        TransactionScope outer = context.getOrDefault(TransactionScope.class, null);
        TransactionScope scope = new TransactionScope(outer);
        if (outer != null) {
            synchronized (outer.inner) {
                // after the rollback, the publisher of a cache begins a transaction of its own
                if (outer.closed
                        && SpringTransactions.with(context, active -> true).isPresent()) {
                    throw new CancellationException("the subscriber of the transaction around this one was cancelled");
                }
                outer.inner.add(scope);
            }
        }
        return scope;
    }

    private Context in(Context context) {
        return context.put(TransactionScope.class, this);
    }

    /** Completes when the inner publishers that are cancelled have ended. Others may go on for a cache, for example. */
    private Mono<Void> innerEnded() {
        CompletableFuture<?>[] ending;
        synchronized (inner) {
            ending = inner.stream()
                    .filter(one -> one.cancelled)
                    .map(one -> one.ended)
                    .toArray(CompletableFuture[]::new);
        }
        return ending.length == 0
                ? Mono.empty()
                : Mono.fromFuture(CompletableFuture.allOf(ending), true).publishOn(SubscriberScheduler.current());
    }

    /**
     * Decides that a cancelled transaction ends with an error inside of it, if it is nested. If it is not, Spring rolls
     * it back as it is, and none begins inside of it meanwhile.
     */
    private boolean endsInside() {
        synchronized (inner) {
            closed = outer == null && inner.isEmpty();
            return !closed;
        }
    }

    private void cancel() {
        cancelled = true;
        cancellation.tryEmitEmpty();
    }

    private void end() {
        if (outer != null) {
            synchronized (outer.inner) {
                outer.inner.remove(this);
            }
        }
        ended.complete(null);
    }

    /**
     * Passes a cancellation to the body of a nested transaction. A transaction without others receives it as it is, and
     * so does one that has not begun, whose body would never end.
     */
    private static final class EndingSubscriber<T> implements CoreSubscriber<T>, Subscription {

        private final TransactionScope scope;

        private final CoreSubscriber<? super T> actual;

        private final boolean beginsWithoutDemand;

        /** Whether the transaction may have begun, or null if neither a demand nor a cancellation has come yet. */
        private final AtomicReference<@Nullable Boolean> begun = new AtomicReference<>();

        private volatile @Nullable Subscription upstream;

        /**
         * Creates a subscriber.
         *
         * @param beginsWithoutDemand whether the transaction begins after {@code onSubscribe}, as that of a Flux does,
         *     and not with the first request
         */
        EndingSubscriber(TransactionScope scope, CoreSubscriber<? super T> actual, boolean beginsWithoutDemand) {
            this.scope = scope;
            this.actual = actual;
            this.beginsWithoutDemand = beginsWithoutDemand;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            upstream = subscription;
            actual.onSubscribe(this);
            if (beginsWithoutDemand) {
                begun.compareAndSet(null, true);
            }
        }

        @Override
        public void request(long count) {
            begun.compareAndSet(null, true);
            Subscription subscription = upstream;
            if (subscription != null && Boolean.TRUE.equals(begun.get())) {
                subscription.request(count);
            }
        }

        @Override
        public void cancel() {
            begun.compareAndSet(null, false);
            Subscription subscription = upstream;
            if (Boolean.TRUE.equals(begun.get()) && scope.endsInside()) {
                scope.cancel();
            } else if (subscription != null) {
                subscription.cancel();
                scope.end();
            }
        }

        @Override
        public void onNext(T value) {
            if (scope.cancelled) {
                Operators.onDiscard(value, currentContext());
            } else {
                actual.onNext(value);
            }
        }

        @Override
        public void onError(Throwable failure) {
            scope.afterFailure.run();
            scope.end();
            if (!(failure instanceof CancelledTransaction)) {
                actual.onError(failure);
            }
        }

        @Override
        public void onComplete() {
            scope.end();
            actual.onComplete();
        }
    }

    /** Rolls back a transaction whose subscriber is cancelled. An error, which Spring's rules roll back by default. */
    private static final class CancelledTransaction extends Error {

        private static final long serialVersionUID = 1L;

        CancelledTransaction() {
            super("the subscriber of the transaction was cancelled", null, false, false);
        }
    }
}
