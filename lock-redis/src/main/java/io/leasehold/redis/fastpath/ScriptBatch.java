package io.leasehold.redis.fastpath;

import io.leasehold.redis.client.RedisErrors;
import io.leasehold.redis.client.RedisScript;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerListOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One script for several callers. Calls join while the command waits for the thread of its connection to write it.
 * Sharing the script therefore delays no call.
 */
final class ScriptBatch extends Command<byte[], byte[], List<Long>> {

    static final RedisScript SCRIPT = RedisScript.of(ScriptBatch.class, "batch.lua", RedisScript.Answer.INTEGERS);

    private static final int MOST = 16;

    private final List<FastPathCall<?>> calls;

    private final byte[] fenceRetention;

    private boolean closed;

    private boolean written;

    private ScriptBatch(CommandType type, List<FastPathCall<?>> calls, byte[] fenceRetention) {
        super(type, new IntegerListOutput<>(ByteArrayCodec.INSTANCE));
        this.calls = calls;
        this.fenceRetention = fenceRetention;
    }

    static ScriptBatch with(FastPathCall<?> first, byte[] fenceRetention) {
        ScriptBatch batch = new ScriptBatch(CommandType.EVALSHA, new ArrayList<>(), fenceRetention);
        batch.calls.add(first);
        return batch;
    }

    /** Returns the same batch by source, for a Redis that does not know the script yet. */
    ScriptBatch bySource() {
        return new ScriptBatch(CommandType.EVAL, calls, fenceRetention);
    }

    boolean isBySource() {
        return getType() == CommandType.EVAL;
    }

    /**
     * Adds the call to the batch. Returns false if the batch is already written or full. Calls that were given up have
     * no place, so one batch serves all callers of an outage for as long as it waits for a connection.
     */
    synchronized boolean joinedBy(FastPathCall<?> call) {
        if (!closed && calls.size() == MOST) {
            calls.removeIf(FastPathCall::isDone);
        }
        return !closed && calls.size() < MOST && calls.add(call);
    }

    /** Writes the command. A repeated write has the same content. */
    @Override
    public void encode(ByteBuf buffer) {
        List<FastPathCall<?>> written = writtenCalls();
        int keys = written.stream().mapToInt(FastPathCall::keys).sum();
        RespWriter command = new RespWriter(buffer);
        // the name of the command, the script, the number of keys, the keys, the retention, and as many values as keys
        command.start(3 + keys + 1 + keys);
        command.string(getType().getBytes()).string(isBySource() ? SCRIPT.source() : SCRIPT.digestBytes());
        command.string(keys);
        written.forEach(call -> call.writeKeys(command));
        command.string(fenceRetention);
        written.forEach(call -> call.writeValues(command));
    }

    /** Closes the batch for further calls, and returns its calls. */
    synchronized List<FastPathCall<?>> close() {
        closed = true;
        return calls;
    }

    /**
     * Closes the batch for further calls, and returns those that are written. They are selected once: answers are matched
     * to calls by position, so the list must not change between two writes.
     */
    private synchronized List<FastPathCall<?>> writtenCalls() {
        if (!written) {
            closed = true;
            written = true;
            calls.removeIf(FastPathCall::isDone);
        }
        return calls;
    }

    /**
     * Sends calls in batches, because a script has a higher fixed cost than cost per lock, in Redis and in the client.
     * After Redis has answered that it is part of a cluster, in which locks belong to several slots, each call has its
     * own script.
     */
    static final class Sender {

        private final byte[] fenceRetention;

        private final RedisFastPath.ContentionFilter contention;

        private final AtomicReference<@Nullable ScriptBatch> open = new AtomicReference<>();

        private volatile boolean oneByOne;

        Sender(byte[] fenceRetention, RedisFastPath.ContentionFilter contention) {
            this.fenceRetention = fenceRetention;
            this.contention = contention;
        }

        /** Sends a call, together with others if a batch is open. */
        void send(StatefulRedisConnection<byte[], byte[]> connection, FastPathCall<?> call) {
            if (oneByOne) {
                dispatch(connection, ScriptBatch.with(call, fenceRetention));
                return;
            }
            while (true) {
                ScriptBatch batch = open.get();
                if (batch != null && batch.joinedBy(call)) {
                    return;
                }
                ScriptBatch mine = ScriptBatch.with(call, fenceRetention);
                // published before it is dispatched, so that other calls can join while it waits to be written; a call
                // that loses this race tries to join the winner's batch
                if (open.compareAndSet(batch, mine)) {
                    dispatch(connection, mine);
                    return;
                }
            }
        }

        private void dispatch(StatefulRedisConnection<byte[], byte[]> connection, ScriptBatch batch) {
            AsyncCommand<byte[], byte[], List<Long>> command = new AsyncCommand<>(batch);
            command.whenComplete((answers, failure) -> {
                if (failure == null) {
                    answer(batch.close(), answers);
                } else if (RedisErrors.isUnknownScript(failure) && !batch.isBySource()) {
                    dispatch(connection, batch.bySource());
                } else {
                    oneByOne |= RedisErrors.isOfSeveralSlots(failure);
                    fail(batch, failure);
                }
            });
            try {
                connection.dispatch(command);
            } catch (Throwable ex) {
                // An Error as well, because the batch would stay open and collect calls that are never sent.
                command.completeExceptionally(ex);
            }
        }

        private void answer(List<FastPathCall<?>> calls, List<Long> answers) {
            for (int i = 0; i < calls.size(); i++) {
                FastPathCall<?> call = calls.get(i);
                if (answers.get(i) == 0) {
                    contention.found(call.id());
                    call.fallBack();
                } else {
                    call.answered(answers.get(i));
                }
            }
        }

        private static void fail(ScriptBatch batch, Throwable failure) {
            batch.close().forEach(call -> call.failed(failure));
        }
    }
}
