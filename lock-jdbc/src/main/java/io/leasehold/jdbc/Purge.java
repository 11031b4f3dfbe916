package io.leasehold.jdbc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Removes rows that nobody has needed for a while, in small transactions that let other work pass in between. */
final class Purge {

    private static final int BATCH = 500;

    private final JdbcLockOptions options;

    private final Lane lane;

    private final Leases leases;

    Purge(JdbcLockOptions options, Lane lane, Leases leases) {
        this.options = options;
        this.lane = lane;
        this.leases = leases;
    }

    CompletionStage<Integer> run() {
        return removeAfter(0);
    }

    private CompletionStage<Integer> removeAfter(int removed) {
        return batch().thenCompose(batch ->
                batch < BATCH ? CompletableFuture.completedFuture(removed + batch) : removeAfter(removed + batch));
    }

    private CompletionStage<Integer> batch() {
        long retention = LeaseRequest.micros(options.retention());
        return lane.submit(
                "purging " + options.table(), session -> leases.table(session).purge(session, retention, BATCH));
    }
}
