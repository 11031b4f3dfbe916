package io.leasehold.redis;

import io.leasehold.redis.client.CancellableCall;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call whose outcome may make a second one useful, after a step in between. Repeating it must be harmless. Cancelling
 * it cancels the call in progress.
 */
final class RepeatableCall<T> extends CancellableCall<T> {

    private final Consumer<T> unused;

    /**
     * Creates a call.
     *
     * @param first the first call
     * @param repetition returns, for its answer or failure, a future of the second call; a future of {@code null} keeps
     *     the first outcome
     * @param unused receives an answer that arrives when this call was cancelled
     */
    RepeatableCall(
            CompletableFuture<T> first,
            BiFunction<@Nullable T, @Nullable Throwable, CompletableFuture<@Nullable Supplier<CompletableFuture<T>>>>
                    repetition,
            Consumer<T> unused) {
        this.unused = unused;
        follow(first);
        first.whenComplete((answer, failure) -> {
            try {
                repetition.apply(answer, failure).whenComplete((second, noStep) -> {
                    if (noStep != null) {
                        completeExceptionally(noStep);
                    } else if (second == null || isCancelled()) {
                        end(answer, failure);
                    } else {
                        repeat(second);
                    }
                });
            } catch (RuntimeException | Error ex) {
                completeExceptionally(ex);
            }
        });
    }

    private void repeat(Supplier<CompletableFuture<T>> second) {
        CompletableFuture<T> call;
        try {
            call = second.get();
        } catch (RuntimeException | Error ex) {
            completeExceptionally(ex);
            return;
        }
        follow(call);
        call.whenComplete(this::end);
    }

    private void end(@Nullable T answer, @Nullable Throwable failure) {
        if (failure != null) {
            completeExceptionally(failure);
        } else if (!complete(answer)) {
            unused.accept(answer);
        }
    }
}
