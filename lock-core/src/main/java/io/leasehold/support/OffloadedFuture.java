package io.leasehold.support;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is delivered on an executor, because the caller's dependent stages may block (rules.md R38). A thread
 * that waits for the answer itself needs no thread of the executor. It may therefore be one of them.
 */
public final class OffloadedFuture<T> extends CompletableFuture<T> {

    private final CompletableFuture<T> source;

    private final Executor executor;

    /** Completes with the first of the two futures, for threads that wait. All of them wait for this one. */
    private @Nullable CompletableFuture<Void> either;

    private OffloadedFuture(CompletableFuture<T> source, Executor executor) {
        this.source = source;
        this.executor = executor;
    }

    /**
     * Returns a future that ends as the source does, immediately if the source has ended.
     *
     * @param executor runs the dependent stages of the returned future
     */
    public static <T> OffloadedFuture<T> of(CompletableFuture<T> source, Executor executor) {
        OffloadedFuture<T> delivered = new OffloadedFuture<>(source, executor);
        if (source.isDone()) {
            source.whenComplete(delivered::end);
        } else {
            source.whenComplete((answer, failure) -> delivered.deliver(answer, failure));
        }
        return delivered;
    }

    /**
     * Returns a future of another answer.
     *
     * @param answer derives it from the answer or the failure, on the thread of the source
     * @param <R> the type of the other answer
     * @return the future, which uses the same executor
     */
    public <R> OffloadedFuture<R> derive(BiFunction<@Nullable T, @Nullable Throwable, R> answer) {
        return of(source.handle(answer), executor);
    }

    @Override
    public T join() {
        awaitEither().join();
        return isDone() ? super.join() : source.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        awaitEither().get();
        return isDone() ? super.get() : source.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        awaitEither().get(timeout, unit);
        return isDone() ? super.get() : source.get();
    }

    /** Never fails. Ends with the source, or when the caller has cancelled or completed this future. */
    private synchronized CompletableFuture<Void> awaitEither() {
        if (either == null) {
            // once: each dependent stage stays until the end, and a caller may poll for days
            either = CompletableFuture.anyOf(source, this).handle((answer, failure) -> null);
        }
        return either;
    }

    private void deliver(@Nullable T answer, @Nullable Throwable failure) {
        try {
            executor.execute(() -> end(answer, failure));
        } catch (Throwable ex) {
            // rejected, or no thread could be created: the caller must get its answer in any case
            end(answer, failure);
        }
    }

    private void end(@Nullable T answer, @Nullable Throwable failure) {
        if (failure == null) {
            complete(answer);
        } else {
            completeExceptionally(failure);
        }
    }
}
