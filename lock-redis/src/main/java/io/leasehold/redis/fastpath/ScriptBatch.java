package io.leasehold.redis.fastpath;

import io.leasehold.redis.client.RedisErrors;
import io.leasehold.redis.client.RedisScript;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerListOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One script for several callers. Calls join until the command is written, for which it has to wait for the thread of its
 * connection; so no call waits longer because it shares the script.
 */
final class ScriptBatch extends Command<byte[], byte[], List<Long>> {

    static final RedisScript SCRIPT = RedisScript.of(ScriptBatch.class, "batch.lua", RedisScript.Answer.INTEGERS);

    private static final int MOST = 16;

    private final List<FastPathCall<?>> calls;

    private final byte[] fenceRetention;

    private boolean closed;

    private ScriptBatch(CommandType type, List<FastPathCall<?>> calls, byte[] fenceRetention) {
        super(type, new IntegerListOutput<>(ByteArrayCodec.INSTANCE), new CommandArgs<>(ByteArrayCodec.INSTANCE));
        this.calls = calls;
        this.fenceRetention = fenceRetention;
    }

    static ScriptBatch with(FastPathCall<?> first, byte[] fenceRetention) {
        ScriptBatch batch = new ScriptBatch(CommandType.EVALSHA, new ArrayList<>(), fenceRetention);
        batch.calls.add(first);
        return batch;
    }

    /** The batch of the same calls, for a Redis that does not know the script yet. */
    ScriptBatch bySource() {
        return new ScriptBatch(CommandType.EVAL, calls, fenceRetention);
    }

    boolean isBySource() {
        return getType() == CommandType.EVAL;
    }

    /** Whether the call is part of the batch now; otherwise the batch is written already, or full. */
    synchronized boolean joinedBy(FastPathCall<?> call) {
        return !closed && calls.size() < MOST && calls.add(call);
    }

    /** Writes the command; a client that has to send it again sends the same. */
    @Override
    public void encode(ByteBuf buffer) {
        write();
        super.encode(buffer);
    }

    /** The calls of the batch; none joins any more. */
    synchronized List<FastPathCall<?>> close() {
        closed = true;
        return calls;
    }

    private synchronized void write() {
        // Written once: the answers are matched to the calls by position, so the list must not change between two
        // writes.
        if (getArgs().count() > 0) {
            return;
        }
        closed = true;
        calls.removeIf(FastPathCall::isDone);
        getArgs().add(isBySource() ? SCRIPT.source() : SCRIPT.digestBytes());
        getArgs().add(calls.stream().mapToInt(FastPathCall::keys).sum());
        calls.forEach(call -> call.addKeys(getArgs()));
        getArgs().addValue(fenceRetention);
        calls.forEach(call -> call.addValues(getArgs()));
    }

    /**
     * Sends calls in batches: a script costs Redis and the client more than what it does for one lock. After Redis has
     * answered that it is part of a cluster, where locks lie in several slots, each call has a script of its own.
     */
    static final class Sender {

        private final byte[] fenceRetention;

        private final RedisFastPath.ContentionFilter contention;

        private final CachedFenceCommands cachedFenceCommands;

        private final AtomicReference<@Nullable ScriptBatch> open = new AtomicReference<>();

        private volatile boolean oneByOne;

        Sender(
                byte[] fenceRetention,
                RedisFastPath.ContentionFilter contention,
                CachedFenceCommands cachedFenceCommands) {
            this.fenceRetention = fenceRetention;
            this.contention = contention;
            this.cachedFenceCommands = cachedFenceCommands;
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
                // Published before it is dispatched, so that other calls can join while it waits to be written. A call
                // that loses this race tries to join the winner's batch.
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
            } catch (RuntimeException ex) {
                command.completeExceptionally(ex);
            }
        }

        private void answer(List<FastPathCall<?>> calls, List<Long> answers) {
            long clock = answers.get(calls.size());
            for (int i = 0; i < calls.size(); i++) {
                FastPathCall<?> call = calls.get(i);
                if (answers.get(i) == 0) {
                    contention.found(call.id());
                    call.fallBack();
                } else {
                    // The cache learns of the answer before the caller does, whose next call may come at once.
                    if (call instanceof FastPathCall.Acquire granted) {
                        cachedFenceCommands.granted(granted, answers.get(i), clock);
                    } else if (call instanceof FastPathCall.Release release) {
                        cachedFenceCommands.released(release);
                    }
                    call.answered(answers.get(i));
                }
            }
        }

        private static void fail(ScriptBatch batch, Throwable failure) {
            batch.close().forEach(call -> call.failed(failure));
        }
    }
}
