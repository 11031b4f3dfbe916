package io.leasehold.backend.etcd;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** The calls that one operation of the backend has under way, so that who cancels the operation cancels them. */
final class CallScope {

    private final List<Runnable> cancellations = new ArrayList<>(4);

    private boolean cancelled;

    private CallScope() {}

    /**
     * Runs an operation.
     *
     * @param operation what to do, with the scope for its calls
     * @param unwanted what to do with an answer that comes when nobody wants it any more
     * @return the answer; cancelling it cancels the operation's calls
     */
    static <T> CompletableFuture<T> run(
            Function<CallScope, CompletableFuture<T>> operation, Consumer<? super T> unwanted) {
        CallScope scope = new CallScope();
        CompletableFuture<T> answer = new CompletableFuture<>();
        start(operation, scope).whenComplete((value, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(Failures.unwrap(failure));
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
            Function<CallScope, CompletableFuture<T>> operation, CallScope scope) {
        try {
            return operation.apply(scope);
        } catch (RuntimeException ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    /** Adds a call, and cancels it at once if the operation was cancelled before. */
    void add(Runnable cancellation) {
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
}
