package io.leasehold.redis.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A call that another call answers, and perhaps a further one after it. Cancelling it cancels the one in progress. */
public class CancellableCall<T> extends CompletableFuture<T> {

    private volatile @Nullable Future<?> inProgress;

    /** Creates a call that follows no other yet. */
    protected CancellableCall() {}

    /** Converts the reply of a script, and classifies its failures. Cancelling the answer cancels the script. */
    public static <S, T> CompletableFuture<T> ofReply(CompletableFuture<S> reply, Function<S, T> answer) {
        CancellableCall<T> call = new CancellableCall<>();
        call.follow(reply);
        reply.whenComplete((value, failure) -> {
            if (failure != null) {
                call.completeExceptionally(RedisErrors.of(failure));
                return;
            }
            try {
                call.complete(answer.apply(value));
            } catch (RuntimeException | Error ex) {
                call.completeExceptionally(RedisErrors.of(ex));
            }
        });
        return call;
    }

    /**
     * Repeats a call once if its outcome makes that useful, after a step in between. Repeating it must be harmless.
     *
     * @param repetition returns, for its answer or failure, a future of the second call; a future of {@code null} keeps
     *     the first outcome
     * @param unused receives an answer that arrives when the returned call was cancelled
     */
    public static <T> CompletableFuture<T> repeatable(
            CompletableFuture<T> first,
            BiFunction<@Nullable T, @Nullable Throwable, CompletableFuture<@Nullable Supplier<CompletableFuture<T>>>>
                    repetition,
            Consumer<T> unused) {
        CancellableCall<T> call = new CancellableCall<>();
        call.follow(first);
        first.whenComplete((answer, failure) -> {
            try {
                repetition.apply(answer, failure).whenComplete((second, noStep) -> {
                    if (noStep != null) {
                        call.completeExceptionally(noStep);
                    } else if (second == null || call.isCancelled()) {
                        call.end(answer, failure, unused);
                    } else {
                        call.repeat(second, unused);
                    }
                });
            } catch (RuntimeException | Error ex) {
                call.completeExceptionally(ex);
            }
        });
        return call;
    }

    private void repeat(Supplier<CompletableFuture<T>> second, Consumer<T> unused) {
        try {
            endAs(second.get(), unused);
        } catch (RuntimeException | Error ex) {
            completeExceptionally(ex);
        }
    }

    /**
     * Ends this call as the given one does, and cancels it together with this one.
     *
     * @param unused receives an answer that arrives when this call was cancelled
     */
    protected final void endAs(CompletableFuture<T> call, Consumer<T> unused) {
        follow(call);
        call.whenComplete((answer, failure) -> end(answer, failure, unused));
    }

    private void end(@Nullable T answer, @Nullable Throwable failure, Consumer<T> unused) {
        if (failure != null) {
            completeExceptionally(failure);
        } else if (!complete(answer)) {
            unused.accept(answer);
        }
    }

    /** Cancels the given call together with this one, from now on. */
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
}
