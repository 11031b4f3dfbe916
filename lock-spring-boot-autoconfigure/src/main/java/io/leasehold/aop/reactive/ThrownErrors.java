package io.leasehold.aop.reactive;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CorePublisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Signals the errors that Reactor throws through its operators, which are {@code LinkageError} and {@code
 * VirtualMachineError}. Without a signal, no operator ends the lock of a publisher.
 *
 * <p>Covers an error that is thrown while the publisher is subscribed, while values are requested from it, and while a
 * later operator receives a value. An operator of the publisher that throws on a thread of its source ends without a
 * signal, as it does without a lock.
 */
final class ThrownErrors {

    private ThrownErrors() {}

    static <T> Mono<T> signalled(Mono<T> source) {
        return new MonoOperator<>(source) {
            @Override
            public void subscribe(CoreSubscriber<? super T> subscriber) {
                Guarded.subscribe(source, subscriber);
            }
        };
    }

    static <T> Flux<T> signalled(Flux<T> source) {
        return new FluxOperator<>(source) {
            @Override
            public void subscribe(CoreSubscriber<? super T> subscriber) {
                Guarded.subscribe(source, subscriber);
            }
        };
    }

    /** Ends the subscription with the first error that is thrown. */
    private static final class Guarded<T> implements CoreSubscriber<T>, Subscription {

        private final CoreSubscriber<? super T> subscriber;

        private final AtomicBoolean ended = new AtomicBoolean();

        private volatile @Nullable Subscription upstream;

        private Guarded(CoreSubscriber<? super T> subscriber) {
            this.subscriber = subscriber;
        }

        static <T> void subscribe(CorePublisher<? extends T> source, CoreSubscriber<? super T> subscriber) {
            Guarded<T> guarded = new Guarded<>(subscriber);
            guarded.run(() -> source.subscribe(guarded));
        }

        @Override
        public Context currentContext() {
            return subscriber.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            upstream = subscription;
            subscriber.onSubscribe(this);
        }

        @Override
        public void onNext(T value) {
            if (!ended.get()) {
                run(() -> subscriber.onNext(value));
            }
        }

        @Override
        public void onError(Throwable failure) {
            if (ended.compareAndSet(false, true)) {
                subscriber.onError(failure);
            } else {
                Operators.onErrorDropped(failure, currentContext());
            }
        }

        @Override
        public void onComplete() {
            if (ended.compareAndSet(false, true)) {
                subscriber.onComplete();
            }
        }

        @Override
        public void request(long count) {
            Subscription subscription = upstream;
            if (subscription != null) {
                run(() -> subscription.request(count));
            }
        }

        @Override
        public void cancel() {
            Subscription subscription = upstream;
            if (subscription != null) {
                subscription.cancel();
            }
        }

        private void run(Runnable step) {
            try {
                step.run();
            } catch (Throwable thrown) {
                if (!ended.compareAndSet(false, true)) {
                    throw thrown;
                }
                if (upstream == null) {
                    Operators.error(subscriber, thrown);
                } else {
                    cancel();
                    subscriber.onError(thrown);
                }
            }
        }
    }
}
