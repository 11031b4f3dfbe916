package io.leasehold.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;

/** Gives back a lock that nobody waits for. Ends with 0, and has done nothing, if that is not all. */
final class UnwantedRelease extends AsyncCommand<byte[], byte[], Long> {

    private final QuickRelease call;

    private UnwantedRelease(QuickRelease call, Command<byte[], byte[], Long> script) {
        super(script);
        this.call = call;
    }

    static UnwantedRelease of(QuickRelease call) {
        return script(call, CommandType.EVALSHA, RedisScript.RELEASE_UNWANTED.digestBytes());
    }

    /** The same, for a Redis that does not know the script yet. */
    UnwantedRelease bySource() {
        return script(call, CommandType.EVAL, RedisScript.RELEASE_UNWANTED.source());
    }

    boolean isBySource() {
        return getType() == CommandType.EVAL;
    }

    void send(StatefulRedisConnection<byte[], byte[]> connection) {
        try {
            connection.dispatch(this);
        } catch (RuntimeException ex) {
            completeExceptionally(ex);
        }
    }

    private static UnwantedRelease script(QuickRelease call, CommandType type, byte[] script) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add(script)
                .add(2)
                .addKey(RedisKeys.lock(call.id()))
                .addKey(RedisKeys.queue(call.id()))
                .addValue(call.token());
        return new UnwantedRelease(call, new Command<>(type, new IntegerOutput<>(ByteArrayCodec.INSTANCE), arguments));
    }
}
