package io.leasehold.redis;

import io.leasehold.redis.client.CancellableCall;
import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.redis.client.RedisErrors;
import io.leasehold.redis.client.RedisScript;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.support.UnansweredRenewals;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Renews leases, up to {@value #BATCH} with one script. In a Redis Cluster there is one script per lease, because the
 * keys belong to different slots.
 */
final class Renewals {

    static final RedisScript RENEW =
            RedisScript.of(Renewals.class, "renew.lua", RedisScript.Answer.BYTES, RedisScript::ofChange);

    static final int BATCH = 500;

    private final RedisClientAdapter client;

    private final byte[] fenceRetention;

    private final BooleanSupplier inCluster;

    private final Runnable clusterFound;

    /**
     * Creates the renewals.
     *
     * @param fenceRetention how long a fencing counter is kept, in milliseconds
     * @param inCluster whether Redis is known to be a cluster
     * @param clusterFound called when a cluster is found behind a client for a single Redis
     */
    Renewals(RedisClientAdapter client, byte[] fenceRetention, BooleanSupplier inCluster, Runnable clusterFound) {
        this.client = client;
        this.fenceRetention = fenceRetention;
        this.inCluster = inCluster;
        this.clusterFound = clusterFound;
    }

    CompletableFuture<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        return commands.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : inBatches(commands, inCluster.getAsBoolean() ? 1 : BATCH);
    }

    private CompletableFuture<List<RenewAnswer>> inBatches(List<RenewCommand> commands, int size) {
        List<CompletableFuture<List<RenewAnswer>>> batches = new ArrayList<>();
        for (int start = 0; start < commands.size(); start += size) {
            batches.add(renewBatch(commands.subList(start, Math.min(commands.size(), start + size))));
        }
        return batches.size() == 1 ? batches.get(0) : together(batches, commands.size(), size);
    }

    private CompletableFuture<List<RenewAnswer>> renewBatch(List<RenewCommand> batch) {
        return CancellableCall.repeatable(
                run(batch),
                (answers, failure) -> CompletableFuture.completedFuture(
                        failure != null && RedisErrors.isOfSeveralSlots(failure) ? () -> oneByOne(batch) : null),
                answers -> {});
    }

    /** Called after a cluster has refused keys of several slots, which it does before it executes anything. */
    private CompletableFuture<List<RenewAnswer>> oneByOne(List<RenewCommand> batch) {
        clusterFound.run();
        return inBatches(batch, 1);
    }

    private CompletableFuture<List<RenewAnswer>> run(List<RenewCommand> batch) {
        RenewScript script = new RenewScript(batch);
        CompletableFuture<byte[]> reply = client.renewals().run(RENEW, script.keys(), script.arguments(fenceRetention));
        return CancellableCall.ofReply(reply, RenewScript::parse);
    }

    /**
     * Returns the answers of all batches. A lease of a failed batch has the answer "unknown". If all have failed, the
     * result fails as the first of them.
     */
    private static CompletableFuture<List<RenewAnswer>> together(
            List<CompletableFuture<List<RenewAnswer>>> batches, int size, int batchSize) {
        CompletableFuture<List<RenewAnswer>> result = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                batches.forEach(batch -> batch.cancel(mayInterruptIfRunning));
                return isDone();
            }
        };
        CompletableFuture.allOf(batches.toArray(CompletableFuture[]::new)).whenComplete((nothing, failure) -> {
            List<RenewAnswer> answers = new ArrayList<>(size);
            Throwable first = null;
            int failed = 0;
            int unanswered = 0;
            for (int i = 0; i < batches.size(); i++) {
                int expected = Math.min(batchSize, size - i * batchSize);
                CompletableFuture<List<RenewAnswer>> batch = batches.get(i);
                if (batch.isCompletedExceptionally()) {
                    first = first == null ? failureOf(batch) : first;
                    failed++;
                    unanswered += expected;
                    answers.addAll(Collections.nCopies(expected, RenewAnswer.UNKNOWN));
                } else {
                    answers.addAll(batch.join());
                }
            }
            if (first != null && failed == batches.size()) {
                result.completeExceptionally(first);
                return;
            }
            // before the line: an appender may block
            result.complete(answers);
            UnansweredRenewals.log(
                    Renewals.class,
                    unanswered,
                    size,
                    first instanceof CancellationException ? "timed out" : String.valueOf(first));
        });
        return result;
    }

    private static Throwable failureOf(CompletableFuture<?> failed) {
        // not join(), which would wrap it
        return failed.handle((answers, failure) -> Objects.requireNonNull(failure))
                .join();
    }
}
