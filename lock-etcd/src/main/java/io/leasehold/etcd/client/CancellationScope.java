package io.leasehold.etcd.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** The calls that one operation of the backend has under way, so that who cancels the operation cancels them. */
public final class CancellationScope {

    private final List<Runnable> cancellations = new ArrayList<>(4);

    private boolean cancelled;

    private CancellationScope() {}

    /**
     * Runs an operation.
     *
     * @param operation what to do, with the scope for its calls
     * @param unwanted what to do with an answer that comes when nobody wants it any more
     * @return the answer; cancelling it cancels the operation's calls
     */
    public static <T> CompletableFuture<T> run(
            Function<CancellationScope, CompletableFuture<T>> operation, Consumer<? super T> unwanted) {
        CancellationScope scope = new CancellationScope();
        CompletableFuture<T> answer = new CompletableFuture<>();
        start(operation, scope).whenComplete((value, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(EtcdErrors.unwrap(failure));
            } else if (!answer.complete(value)) {
                unwanted.accept(value);
            }
        });
        answer.whenComplete((value, failure) -> {
            if (failure instanceof CancellationException) {
                scope.cancel();
            }
        });
        return answer;
    }

    private static <T> CompletableFuture<T> start(
            Function<CancellationScope, CompletableFuture<T>> operation, CancellationScope scope) {
        try {
            return operation.apply(scope);
        } catch (RuntimeException ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    /** Adds a call, and cancels it at once if the operation was cancelled before. */
    public void add(Runnable cancellation) {
        synchronized (this) {
            if (!cancelled) {
                cancellations.add(cancellation);
                return;
            }
        }
        cancellation.run();
    }

    private void cancel() {
        List<Runnable> calls;
        synchronized (this) {
            cancelled = true;
            calls = List.copyOf(cancellations);
            cancellations.clear();
        }
        calls.forEach(Runnable::run);
    }

    /** Goes on after a call, in one way if it was answered and in another if it failed. */
    public static <A, T> CompletableFuture<T> either(
            CompletableFuture<A> call,
            Function<? super A, CompletableFuture<T>> answered,
            Function<? super Throwable, CompletableFuture<T>> failed) {
        return call.handle((answer, failure) ->
                        failure == null ? answered.apply(answer) : failed.apply(EtcdErrors.unwrap(failure)))
                .thenCompose(Function.identity());
    }
}
