package io.leasehold.redis;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call whose answer may make a second one useful, after a step in between. Repeating it must be harmless. Cancelling
 * it cancels the call in progress.
 */
final class RepeatableCall<T> extends CompletableFuture<T> {

    private volatile CompletableFuture<T> current;

    /**
     * Creates a call.
     *
     * @param first the first call
     * @param repetition returns, for its answer, a future of the second call; a future of {@code null} keeps the answer.
     *     The future must not fail
     */
    RepeatableCall(
            CompletableFuture<T> first,
            Function<T, CompletableFuture<@Nullable Supplier<CompletableFuture<T>>>> repetition) {
        this.current = first;
        first.whenComplete((answer, failure) -> {
            if (failure != null) {
                completeExceptionally(failure);
            } else {
                repetition.apply(answer).thenAccept(second -> end(answer, second));
            }
        });
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        current.cancel(mayInterruptIfRunning);
        return cancelled;
    }

    private void end(T firstAnswer, @Nullable Supplier<CompletableFuture<T>> second) {
        if (second == null || isCancelled()) {
            complete(firstAnswer);
            return;
        }
        // published before the check, because cancel() marks this future before it reads the field
        current = second.get();
        if (isCancelled()) {
            current.cancel(true);
        }
        current.whenComplete((answer, failure) -> {
            if (failure != null) {
                completeExceptionally(failure);
            } else {
                complete(answer);
            }
        });
    }
}
