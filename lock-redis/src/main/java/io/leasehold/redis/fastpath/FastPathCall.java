package io.leasehold.redis.fastpath;

import io.leasehold.redis.client.CancellableCall;
import io.leasehold.redis.client.RedisErrors;
import io.leasehold.redis.client.RedisKeys;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import java.util.concurrent.CompletionStage;

/**
 * One caller's request on the fast path. It falls back to the plain backend if the lock is not free, or not held by the
 * caller.
 */
abstract class FastPathCall<T> extends CancellableCall<T> {

    private final LockId id;

    private final Token token;

    final LockBackend delegate;

    FastPathCall(LockId id, Token token, LockBackend delegate) {
        this.id = id;
        this.token = token;
        this.delegate = delegate;
    }

    final LockId id() {
        return id;
    }

    final byte[] token() {
        return token.bytesWithHolder();
    }

    /** The number of keys, and also that of values. */
    abstract int keys();

    abstract void writeKeys(RespWriter command);

    abstract void writeValues(RespWriter command);

    /** Converts an answer of the script other than 0. */
    abstract T meaning(long answer);

    /** Sends the request to the plain backend. */
    abstract CompletionStage<T> callDelegate();

    final void answered(long answer) {
        complete(meaning(answer));
    }

    /**
     * Handles a failure. If Redis refused the command, or if the master has become a replica, the plain backend sends
     * the request alone and handles the error. Any other failure ends this call.
     */
    final void failed(Throwable thrown) {
        BackendFailure failure = RedisErrors.of(thrown);
        if (failure.effect() == Effect.REFUSED || RedisErrors.isReplica(thrown)) {
            fallBack();
        } else {
            completeExceptionally(failure);
        }
    }

    /** Delegates the request to the plain backend. */
    final void fallBack() {
        if (!isDone()) {
            endAs(callDelegate().toCompletableFuture(), this::unused);
        }
    }

    /** Disposes of an answer that arrives when this call was cancelled. */
    void unused(T answer) {}

    /** Acquires a free lock. */
    static final class Acquire extends FastPathCall<AcquireAnswer> {

        private final AcquireCommand command;

        Acquire(AcquireCommand command, LockBackend delegate) {
            super(command.id(), command.token(), delegate);
            this.command = command;
        }

        @Override
        void unused(AcquireAnswer answer) {
            answer.discard();
        }

        @Override
        CompletionStage<AcquireAnswer> callDelegate() {
            return delegate.acquire(command);
        }

        @Override
        int keys() {
            return 3;
        }

        @Override
        void writeKeys(RespWriter command) {
            command.string(RedisKeys.lock(id())).string(RedisKeys.fence(id())).string(RedisKeys.queue(id()));
        }

        @Override
        void writeValues(RespWriter command) {
            command.string(token()).string(this.command.ttl().toMillis()).string(this.command.fencingTokens());
        }

        @Override
        AcquireAnswer meaning(long answer) {
            return new Granted(answer);
        }
    }

    /** Releases a lock for which no caller waits. */
    static final class Release extends FastPathCall<ReleaseAnswer> {

        private final ReleaseCommand command;

        Release(ReleaseCommand command, LockBackend delegate) {
            super(command.id(), command.token(), delegate);
            this.command = command;
        }

        @Override
        CompletionStage<ReleaseAnswer> callDelegate() {
            return delegate.release(command);
        }

        @Override
        int keys() {
            return 2;
        }

        @Override
        void writeKeys(RespWriter command) {
            command.string(RedisKeys.lock(id())).string(RedisKeys.queue(id()));
        }

        @Override
        void writeValues(RespWriter command) {
            command.string(token()).string(0);
        }

        @Override
        ReleaseAnswer meaning(long answer) {
            return ReleaseAnswer.RELEASED;
        }
    }
}
