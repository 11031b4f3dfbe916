package io.leasehold.simulation;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Futures of stores. */
final class Stages {

    private Stages() {}

    /** Like {@code thenApply}, but cancelling the result cancels the source, so that it is not sent again. */
    static <T, R> CompletableFuture<R> map(CompletableFuture<T> source, Function<? super T, ? extends R> mapping) {
        CompletableFuture<R> result = new CompletableFuture<>();
        source.whenComplete((answer, failure) -> {
            if (failure == null) {
                result.complete(mapping.apply(answer));
            } else {
                result.completeExceptionally(failure);
            }
        });
        result.whenComplete((answer, failure) -> {
            if (result.isCancelled()) {
                source.cancel(false);
            }
        });
        return result;
    }
}
