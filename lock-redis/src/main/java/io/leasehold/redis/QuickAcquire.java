package io.leasehold.redis;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.ReleaseAnswer;
import io.lettuce.core.protocol.CommandArgs;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Takes a lock that is free. */
final class QuickAcquire extends QuickCall<AcquireAnswer> {

    private final AcquireCommand command;

    private final Supplier<CompletableFuture<ReleaseAnswer>> undo;

    private final long begun;

    private final int era;

    /**
     * A call that has not been sent.
     *
     * @param command what to acquire
     * @param longWay asks for it in the way that is always right
     * @param undo gives the lock back if it is the caller's
     * @param begun when it was begun, in nanoseconds of a monotonic clock
     * @param era of the connection at that time
     */
    QuickAcquire(
            AcquireCommand command,
            Supplier<CompletableFuture<AcquireAnswer>> longWay,
            Supplier<CompletableFuture<ReleaseAnswer>> undo,
            long begun,
            int era) {
        super(command.id(), command.token(), longWay);
        this.command = command;
        this.undo = undo;
        this.begun = begun;
        this.era = era;
    }

    long begun() {
        return begun;
    }

    /** In which {@link KnownFences#era() era} it was begun. */
    int era() {
        return era;
    }

    long ttlMillis() {
        return command.ttl().toMillis();
    }

    int fences() {
        return command.fencingTokens();
    }

    /** Gives the lock back and takes the long way; nobody knows who has it if that fails. */
    void giveBackAndTakeLongWay() {
        undo.get().whenComplete((answer, failure) -> {
            if (failure == null) {
                takeLongWay();
            } else {
                completeExceptionally(new BackendFailure(
                        Effect.UNKNOWN, "a lock without a fencing token was not given back: " + failure, failure));
            }
        });
    }

    @Override
    int keys() {
        return 3;
    }

    @Override
    void addKeys(CommandArgs<byte[], byte[]> arguments) {
        arguments.addKey(RedisKeys.lock(id())).addKey(RedisKeys.fence(id())).addKey(RedisKeys.queue(id()));
    }

    @Override
    void addValues(CommandArgs<byte[], byte[]> arguments) {
        arguments.addValue(token()).add(ttlMillis()).add(fences());
    }

    @Override
    AcquireAnswer meaning(long answer) {
        return new Granted(answer);
    }
}
