package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.RedisErrors;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.support.DaemonThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is opened once, at its first use, on a separate thread. If opening fails, or no thread can be
 * started, the waiting callers fail, and the next caller starts another attempt.
 */
final class LazyConnection<T> {

    private final Supplier<T> open;

    private final ThreadFactory threads;

    private final AtomicReference<@Nullable CompletableFuture<T>> opening = new AtomicReference<>();

    private volatile @Nullable T opened;

    private volatile boolean closed;

    LazyConnection(Supplier<T> open) {
        this(open, DaemonThreads.named("lock-redis-connect"));
    }

    LazyConnection(Supplier<T> open, ThreadFactory threads) {
        this.open = open;
        this.threads = threads;
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

    /** Does work on the connection, on this thread if the connection is open. */
    void use(Consumer<T> work, Consumer<Throwable> notOpened) {
        T open = now();
        if (open != null) {
            work.accept(open);
            return;
        }
        whenOpen().whenComplete((opened, failure) -> {
            if (failure == null) {
                work.accept(opened);
            } else {
                notOpened.accept(failure);
            }
        });
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
        try {
            threads.newThread(() -> open(mine)).start();
        } catch (Throwable noThread) {
            fail(mine, noThread);
        }
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
            fail(mine, ex);
        }
    }

    private void fail(CompletableFuture<T> mine, Throwable ex) {
        // reset first, because dependents of this future may retry immediately and must then start a new attempt
        opening.set(null);
        mine.completeExceptionally(RedisErrors.notConnected(ex));
    }
}
