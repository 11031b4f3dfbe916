package io.leasehold.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.AsyncCommand;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Takes and gives back locks that are free and that nobody waits for, in one script for all callers who come while the
 * one before is not written yet. A script costs Redis and the client more than what it does for one lock.
 * Once Redis has said that it is part of a cluster, where locks lie in several slots, each caller has a script alone.
 */
final class BatchLane {

    private final byte[] fenceRetention;

    private final RecentlyBusy busy;

    private final RepeatLane repeats;

    private final AtomicReference<@Nullable QuickBatch> open = new AtomicReference<>();

    private volatile boolean alone;

    BatchLane(byte[] fenceRetention, RecentlyBusy busy, RepeatLane repeats) {
        this.fenceRetention = fenceRetention;
        this.busy = busy;
        this.repeats = repeats;
    }

    /** Sends what a caller wants along with what others do. */
    void send(StatefulRedisConnection<byte[], byte[]> connection, QuickCall<?> call) {
        if (alone) {
            dispatch(connection, QuickBatch.with(call, fenceRetention));
            return;
        }
        while (true) {
            QuickBatch batch = open.get();
            if (batch != null && batch.joinedBy(call)) {
                return;
            }
            QuickBatch mine = QuickBatch.with(call, fenceRetention);
            if (open.compareAndSet(batch, mine)) {
                dispatch(connection, mine);
                return;
            }
        }
    }

    private void dispatch(StatefulRedisConnection<byte[], byte[]> connection, QuickBatch batch) {
        AsyncCommand<byte[], byte[], List<Long>> command = new AsyncCommand<>(batch);
        command.whenComplete((answers, failure) -> {
            if (failure == null) {
                answer(batch.close(), answers);
            } else if (RedisErrors.isUnknownScript(failure) && !batch.isBySource()) {
                dispatch(connection, batch.bySource());
            } else {
                alone |= RedisErrors.isOfSeveralSlots(failure);
                fail(batch, failure);
            }
        });
        try {
            connection.dispatch(command);
        } catch (RuntimeException ex) {
            command.completeExceptionally(ex);
        }
    }

    private void answer(List<QuickCall<?>> calls, List<Long> answers) {
        long clock = answers.get(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            QuickCall<?> call = calls.get(i);
            if (answers.get(i) == 0) {
                busy.found(call.id());
                call.takeLongWay();
            } else {
                if (call instanceof QuickAcquire granted) {
                    repeats.granted(granted, answers.get(i), clock);
                } else if (call instanceof QuickRelease release) {
                    repeats.givenBack(release);
                }
                call.answered(answers.get(i));
            }
        }
    }

    private static void fail(QuickBatch batch, Throwable failure) {
        batch.close().forEach(call -> call.failed(failure));
    }
}
