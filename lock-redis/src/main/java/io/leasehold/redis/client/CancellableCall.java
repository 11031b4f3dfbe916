package io.leasehold.redis.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call that another call answers, and perhaps a further one after it. Cancelling it cancels the one in progress.
 *
 * @param <T> the type of the answer
 */
public abstract class CancellableCall<T> extends CompletableFuture<T> {

    private volatile @Nullable Future<?> inProgress;

    /** Creates a call that follows no other yet. */
    protected CancellableCall() {}

    /**
     * Converts the reply of a script. Failures are classified.
     *
     * @param reply the reply
     * @param answer converts it
     * @param <S> the type of the reply
     * @param <T> the type of the answer
     * @return the answer, whose cancellation cancels the script
     */
    public static <S, T> CompletableFuture<T> ofReply(CompletableFuture<S> reply, Function<S, T> answer) {
        Converted<T> converted = new Converted<>(reply);
        reply.whenComplete((value, failure) -> {
            if (failure != null) {
                converted.completeExceptionally(RedisErrors.of(failure));
                return;
            }
            try {
                converted.complete(answer.apply(value));
            } catch (RuntimeException ex) {
                converted.completeExceptionally(RedisErrors.of(ex));
            }
        });
        return converted;
    }

    /**
     * Cancels the given call together with this one, from now on.
     *
     * @param call the call that answers this one
     */
    protected final void follow(Future<?> call) {
        // published before the check, because cancel() marks this call before it reads the field
        inProgress = call;
        if (isCancelled()) {
            call.cancel(true);
        }
    }

    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        Future<?> call = inProgress;
        if (call != null) {
            call.cancel(mayInterruptIfRunning);
        }
        return cancelled;
    }

    private static final class Converted<T> extends CancellableCall<T> {

        Converted(Future<?> reply) {
            follow(reply);
        }
    }
}
