package io.leasehold.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes a lock and raises its fencing counter by two plain commands in one write, which cost Redis less than a script.
 * Ends with the counter, which is raised even if somebody else has the lock; that only skips some numbers.
 */
final class CountedAcquire extends AsyncCommand<byte[], byte[], Long> {

    private final Command<byte[], byte[], String> taking;

    private CountedAcquire(Command<byte[], byte[], String> taking, Command<byte[], byte[], Long> counting) {
        super(counting);
        this.taking = taking;
    }

    static CountedAcquire of(QuickAcquire call) {
        CommandArgs<byte[], byte[]> take = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .addKey(RedisKeys.lock(call.id()))
                .addValue(call.token())
                .add("NX")
                .add("PX")
                .add(call.ttlMillis());
        CommandArgs<byte[], byte[]> count = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .addKey(RedisKeys.fence(call.id()))
                .add(call.fences());
        return new CountedAcquire(
                new Command<>(CommandType.SET, new StatusOutput<>(ByteArrayCodec.INSTANCE), take),
                new Command<>(CommandType.INCRBY, new IntegerOutput<>(ByteArrayCodec.INSTANCE), count));
    }

    void send(StatefulRedisConnection<byte[], byte[]> connection) {
        try {
            connection.dispatch(List.of(taking, this));
        } catch (RuntimeException ex) {
            taking.completeExceptionally(ex);
            completeExceptionally(ex);
        }
    }

    /** Whether the lock was taken, once this has ended; {@code null} if that is not known. */
    @Nullable
    Boolean hasTaken() {
        boolean answered =
                taking.isDone() && !taking.isCancelled() && !taking.getOutput().hasError();
        return answered ? taking.getOutput().get() != null : null;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        taking.cancel();
        return super.cancel(mayInterruptIfRunning);
    }
}
