package io.leasehold.backend.redis;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.AsyncCommand;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes and gives back locks that are free and that nobody waits for, in one script for all callers who come while the
 * one before is not written yet. A script costs Redis and the client more than what it does for one lock.
 */
final class QuickLane {

    private final Supplier<@Nullable StatefulRedisConnection<byte[], byte[]>> connection;

    private final byte[] fenceRetention;

    private final RecentlyBusy busy = new RecentlyBusy();

    private final AtomicReference<@Nullable QuickBatch> open = new AtomicReference<>();

    QuickLane(Supplier<@Nullable StatefulRedisConnection<byte[], byte[]>> connection, Duration fenceRetention) {
        this.connection = connection;
        this.fenceRetention = RedisKeys.bytes(fenceRetention.toMillis());
    }

    <T> CompletableFuture<T> send(QuickCall<T> call) {
        StatefulRedisConnection<byte[], byte[]> to = connection.get();
        if (to == null || busy.isLikely(call.id())) {
            call.takeLongWay();
            return call;
        }
        while (true) {
            QuickBatch batch = open.get();
            if (batch != null && batch.joinedBy(call)) {
                return call;
            }
            QuickBatch mine = QuickBatch.with(call, fenceRetention);
            if (open.compareAndSet(batch, mine)) {
                dispatch(to, mine);
                return call;
            }
        }
    }

    private void dispatch(StatefulRedisConnection<byte[], byte[]> to, QuickBatch batch) {
        AsyncCommand<byte[], byte[], List<Long>> command = new AsyncCommand<>(batch);
        command.whenComplete((answers, failure) -> {
            if (failure == null) {
                answer(batch.close(), answers);
            } else if (RedisFailures.isUnknownScript(failure) && !batch.isBySource()) {
                dispatch(to, batch.bySource());
            } else {
                fail(batch, failure);
            }
        });
        try {
            to.dispatch(command);
        } catch (RuntimeException ex) {
            command.completeExceptionally(ex);
        }
    }

    private void answer(List<QuickCall<?>> calls, List<Long> answers) {
        for (int i = 0; i < calls.size(); i++) {
            QuickCall<?> call = calls.get(i);
            if (answers.get(i) == 0) {
                busy.found(call.id());
                call.takeLongWay();
            } else {
                call.answered(answers.get(i));
            }
        }
    }

    /**
     * What Redis refuses to one of them, it has to refuse to that one alone; and from a master that has become a replica,
     * the long way leads away.
     */
    private static void fail(QuickBatch batch, Throwable thrown) {
        BackendFailure failure = RedisFailures.of(thrown);
        if (failure.effect() == Effect.REFUSED || RedisFailures.isReplica(thrown)) {
            batch.close().forEach(QuickCall::takeLongWay);
        } else {
            batch.close().forEach(call -> call.completeExceptionally(failure));
        }
    }
}
