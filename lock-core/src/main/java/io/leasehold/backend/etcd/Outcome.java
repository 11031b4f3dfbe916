package io.leasehold.backend.etcd;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Goes on after a call, in one way if it was answered and in another if it failed. */
final class Outcome {

    private Outcome() {}

    static <A, T> CompletableFuture<T> of(
            CompletableFuture<A> call,
            Function<? super A, CompletableFuture<T>> answered,
            Function<? super Throwable, CompletableFuture<T>> failed) {
        return call.handle((answer, failure) ->
                        failure == null ? answered.apply(answer) : failed.apply(Failures.unwrap(failure)))
                .thenCompose(Function.identity());
    }
}
