package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.RedisErrors;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is opened once, at its first use, on a separate thread. If opening fails, the waiting callers fail,
 * and the next caller starts another attempt.
 */
final class LazyConnection<T> implements AutoCloseable {

    private static final int LONGEST_CLOSE_SECONDS = 3;

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

    @Override
    public void close() {
        closed = true;
        opened = null;
        CompletableFuture<T> underWay = opening.get();
        if (underWay != null) {
            awaitEnd(underWay);
        }
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

    private static void awaitEnd(CompletableFuture<?> underWay) {
        try {
            underWay.get(LONGEST_CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException ex) {
            return;
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
