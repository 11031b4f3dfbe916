package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.RedisErrors;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is opened once, at its first use, on a separate thread. If opening fails, the waiting callers fail,
 * and the next caller starts another attempt.
 */
final class LazyConnection<T> {

    private final Supplier<T> open;

    private final AtomicReference<@Nullable CompletableFuture<T>> opening = new AtomicReference<>();

    private volatile @Nullable T opened;

    private volatile boolean closed;

    LazyConnection(Supplier<T> open) {
        this.open = open;
    }

    /** Returns the connection, or starts opening it and returns {@code null}. */
    @Nullable
    T now() {
        T result = opened;
        if (result == null) {
            whenOpen();
        }
        return result;
    }

    @Nullable
    T ifAny() {
        return opened;
    }

    /** Completes with the connection, or with a failure which states that no command was sent. */
    CompletableFuture<T> whenOpen() {
        if (closed) {
            return CompletableFuture.failedFuture(new BackendFailure(Effect.NOT_DONE, "the backend is closed", null));
        }
        CompletableFuture<T> mine = new CompletableFuture<>();
        CompletableFuture<T> first = opening.compareAndExchange(null, mine);
        if (first != null) {
            return first;
        }
        Thread thread = new Thread(() -> open(mine), "lock-redis-connect");
        thread.setDaemon(true);
        thread.start();
        return mine;
    }

    /** Refuses further attempts. Returns the last one, which may be in progress. */
    CompletableFuture<?> close() {
        closed = true;
        opened = null;
        CompletableFuture<T> last = opening.get();
        return last == null ? CompletableFuture.completedFuture(null) : last;
    }

    private void open(CompletableFuture<T> mine) {
        try {
            if (closed) {
                throw new IllegalStateException("the backend is closed");
            }
            T result = open.get();
            if (!closed) {
                opened = result;
            }
            // after the assignment, because dependents of this future may read the open connection
            mine.complete(result);
        } catch (Throwable ex) {
            // reset first, because dependents of this future may retry immediately and must then start a new attempt
            opening.set(null);
            mine.completeExceptionally(ex instanceof BackendFailure refused ? refused : RedisErrors.notConnected(ex));
        }
    }
}
