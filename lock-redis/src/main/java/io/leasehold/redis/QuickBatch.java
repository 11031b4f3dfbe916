package io.leasehold.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerListOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * One script for several callers. They can join until the command is written, for which it has to wait for the thread of
 * its connection; so nobody waits any longer for being in company.
 */
final class QuickBatch extends Command<byte[], byte[], List<Long>> {

    private static final int MOST = 16;

    private final List<QuickCall<?>> calls;

    private final byte[] fenceRetention;

    private boolean closed;

    private QuickBatch(CommandType type, List<QuickCall<?>> calls, byte[] fenceRetention) {
        super(type, new IntegerListOutput<>(ByteArrayCodec.INSTANCE), new CommandArgs<>(ByteArrayCodec.INSTANCE));
        this.calls = calls;
        this.fenceRetention = fenceRetention;
    }

    static QuickBatch with(QuickCall<?> first, byte[] fenceRetention) {
        QuickBatch batch = new QuickBatch(CommandType.EVALSHA, new ArrayList<>(), fenceRetention);
        batch.calls.add(first);
        return batch;
    }

    /** The same callers' batch, for a Redis that does not know the script yet. */
    QuickBatch bySource() {
        return new QuickBatch(CommandType.EVAL, calls, fenceRetention);
    }

    boolean isBySource() {
        return getType() == CommandType.EVAL;
    }

    /** Whether the caller is among those whose locks are asked for; otherwise it is too late for that. */
    synchronized boolean joinedBy(QuickCall<?> call) {
        return !closed && calls.size() < MOST && calls.add(call);
    }

    /** Writes it; a client that has to send it again sends the same. */
    @Override
    public void encode(ByteBuf buffer) {
        write();
        super.encode(buffer);
    }

    /** The callers who came along; nobody joins any more. */
    synchronized List<QuickCall<?>> close() {
        closed = true;
        return calls;
    }

    private synchronized void write() {
        if (getArgs().count() > 0) {
            return;
        }
        closed = true;
        calls.removeIf(QuickCall::isDone);
        getArgs().add(isBySource() ? RedisScript.QUICK.source() : RedisScript.QUICK.digestBytes());
        getArgs().add(calls.stream().mapToInt(QuickCall::keys).sum());
        calls.forEach(call -> call.addKeys(getArgs()));
        getArgs().addValue(fenceRetention);
        calls.forEach(call -> call.addValues(getArgs()));
    }
}
