package io.leasehold.redis;

import io.leasehold.redis.client.CancellableCall;
import io.leasehold.redis.client.RedisErrors;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Converts the reply of a script to the backend's answer. Failures are classified, and a cancellation is passed on to
 * the client.
 */
final class ScriptReply<S, T> extends CancellableCall<T> {

    private ScriptReply(CompletableFuture<S> source) {
        follow(source);
    }

    static <S, T> CompletableFuture<T> of(CompletableFuture<S> source, Function<S, T> answer) {
        ScriptReply<S, T> reply = new ScriptReply<>(source);
        source.whenComplete((value, failure) -> {
            if (failure == null) {
                reply.complete(value, answer);
            } else {
                reply.completeExceptionally(RedisErrors.of(failure));
            }
        });
        return reply;
    }

    private void complete(S value, Function<S, T> answer) {
        try {
            complete(answer.apply(value));
        } catch (RuntimeException ex) {
            completeExceptionally(RedisErrors.of(ex));
        }
    }
}
