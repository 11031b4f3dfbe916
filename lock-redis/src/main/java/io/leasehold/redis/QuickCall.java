package io.leasehold.redis;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import io.lettuce.core.protocol.CommandArgs;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What one caller wants of a lock, if it is as simple as it mostly is; it takes the long way if it is not. */
abstract class QuickCall<T> extends CompletableFuture<T> {

    private final LockId id;

    private final Token token;

    private final Supplier<? extends CompletableFuture<T>> longWay;

    private volatile @Nullable Future<?> underWay;

    QuickCall(LockId id, Token token, Supplier<? extends CompletableFuture<T>> longWay) {
        this.id = id;
        this.token = token;
        this.longWay = longWay;
    }

    final LockId id() {
        return id;
    }

    final byte[] token() {
        return token.bytes();
    }

    abstract int keys();

    abstract void addKeys(CommandArgs<byte[], byte[]> arguments);

    abstract void addValues(CommandArgs<byte[], byte[]> arguments);

    /** What an answer of the script means, other than 0. */
    abstract T meaning(long answer);

    /** Has what is sent for it cancelled with it. */
    final void goesBy(Future<?> sent) {
        underWay = sent;
        if (isCancelled()) {
            sent.cancel(true);
        }
    }

    final void answered(long answer) {
        complete(meaning(answer));
    }

    /**
     * What Redis refuses to several, it has to refuse to each alone; and from a master that has become a replica, the long
     * way leads away.
     */
    final void failed(Throwable thrown) {
        BackendFailure failure = RedisErrors.of(thrown);
        if (failure.effect() == Effect.REFUSED || RedisErrors.isReplica(thrown)) {
            takeLongWay();
        } else {
            completeExceptionally(failure);
        }
    }

    final void takeLongWay() {
        if (isDone()) {
            return;
        }
        CompletableFuture<T> call = longWay.get();
        goesBy(call);
        call.whenComplete((answer, failure) -> {
            if (failure == null) {
                complete(answer);
            } else {
                completeExceptionally(failure);
            }
        });
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        Future<?> sent = underWay;
        if (sent != null) {
            sent.cancel(mayInterruptIfRunning);
        }
        return cancelled;
    }
}
