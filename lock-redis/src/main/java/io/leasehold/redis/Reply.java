package io.leasehold.redis;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The reply to a script as the backend's answer: failures are classified, and cancelling reaches the client. */
final class Reply<S, T> extends CompletableFuture<T> {

    private final CompletableFuture<S> source;

    private Reply(CompletableFuture<S> source) {
        this.source = source;
    }

    static <S, T> CompletableFuture<T> of(CompletableFuture<S> source, Function<S, T> answer, Runnable onFailure) {
        Reply<S, T> reply = new Reply<>(source);
        source.whenComplete((value, failure) -> {
            if (failure == null) {
                reply.complete(value, answer);
            } else {
                onFailure.run();
                reply.completeExceptionally(RedisFailures.of(failure));
            }
        });
        return reply;
    }

    private void complete(S value, Function<S, T> answer) {
        try {
            complete(answer.apply(value));
        } catch (RuntimeException ex) {
            completeExceptionally(RedisFailures.of(ex));
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        source.cancel(mayInterruptIfRunning);
        return cancelled;
    }
}
