package io.leasehold.etcd.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** The calls that one operation of the backend has in progress. Cancelling the operation cancels them. */
public final class CancellationScope {

    private final List<Runnable> cancellations = new ArrayList<>(4);

    private boolean cancelled;

    private CancellationScope() {}

    /**
     * Runs an operation.
     *
     * @param operation the operation; its calls are added to the given scope
     * @param unwanted receives an answer that arrives after the caller has cancelled
     * @return the answer; cancelling it cancels the operation's calls
     */
    public static <T> CompletableFuture<T> run(
            Function<CancellationScope, CompletableFuture<T>> operation, Consumer<? super T> unwanted) {
        CancellationScope scope = new CancellationScope();
        CompletableFuture<T> answer = new CompletableFuture<>();
        run(operation, scope, answer, unwanted);
        answer.whenComplete((value, failure) -> {
            if (failure instanceof CancellationException) {
                scope.cancel();
            }
        });
        return answer;
    }

    /**
     * Runs an operation that ends when the calls of its scope are cancelled, with the answer that it has by then.
     *
     * @param operation the operation; its calls are added to the given scope
     * @return the answer; cancelling it cancels the operation's calls, and it then has the answer of the operation
     */
    public static <T> CompletableFuture<T> run(Function<CancellationScope, CompletableFuture<T>> operation) {
        CancellationScope scope = new CancellationScope();
        CompletableFuture<T> answer = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                scope.cancel();
                return super.cancel(mayInterruptIfRunning);
            }
        };
        run(operation, scope, answer, unwanted -> {});
        return answer;
    }

    private static <T> void run(
            Function<CancellationScope, CompletableFuture<T>> operation,
            CancellationScope scope,
            CompletableFuture<T> answer,
            Consumer<? super T> unwanted) {
        start(operation, scope).whenComplete((value, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(EtcdErrors.unwrap(failure));
            } else if (!answer.complete(value)) {
                unwanted.accept(value);
            }
        });
    }

    private static <T> CompletableFuture<T> start(
            Function<CancellationScope, CompletableFuture<T>> operation, CancellationScope scope) {
        try {
            return operation.apply(scope);
        } catch (RuntimeException ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    /** Adds a call, and cancels it immediately if the operation was cancelled before. */
    public void add(Runnable cancellation) {
        synchronized (this) {
            if (!cancelled) {
                cancellations.add(cancellation);
                return;
            }
        }
        // Outside the monitor, since a cancellation may complete futures and run their dependents.
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

    /** Continues after a call with one function if it was answered, and with another if it failed. */
    public static <A, T> CompletableFuture<T> either(
            CompletableFuture<A> call,
            Function<? super A, CompletableFuture<T>> answered,
            Function<? super Throwable, CompletableFuture<T>> failed) {
        return call.handle((answer, failure) ->
                        failure == null ? answered.apply(answer) : failed.apply(EtcdErrors.unwrap(failure)))
                .thenCompose(Function.identity());
    }
}
