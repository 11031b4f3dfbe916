package io.leasehold.etcd;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.spi.LockId;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads the first key of a queue and the number of keys behind it, then the remaining time of the first key's lease. A
 * key without a lease counts as one of another client.
 */
final class EtcdDescription {

    /** A key that a client has put without a lease, or a tool has copied without it, never expires. */
    static final long NO_LEASE = 0;

    private final EtcdResources etcd;

    private final CancellationScope scope;

    EtcdDescription(EtcdResources etcd, CancellationScope scope) {
        this.etcd = etcd;
        this.scope = scope;
    }

    CompletableFuture<LockState> run(LockId id) {
        return etcd.txn(scope, EtcdTransactions.first(etcd.queueOf(id))).thenCompose(response -> {
            RangeResponse queue = response.getResponses(0).getResponseRange();
            return queue.getKvsCount() == 0
                    ? CompletableFuture.completedFuture(new LockState.Free())
                    : remaining(queue.getKvs(0), (int) Math.min(Integer.MAX_VALUE, queue.getCount() - 1))
                            .thenApply(held -> held);
        });
    }

    CompletableFuture<Held> remaining(KeyValue first, int waiting) {
        if (first.getLease() == NO_LEASE) {
            return CompletableFuture.completedFuture(held(first, null, waiting));
        }
        return etcd.timeToLive(scope, first)
                .thenApply(lease -> held(first, Duration.ofSeconds(Math.max(0, lease.getTTL())), waiting));
    }

    private static Held held(KeyValue first, @Nullable Duration remaining, int waiting) {
        EtcdHolder holder = EtcdHolder.parse(first.getValue());
        return new Held(
                first.getLease() == NO_LEASE ? Kind.FOREIGN : holder.kind(),
                holder.name(),
                holder.since(),
                remaining,
                OptionalLong.of(QueueKey.lastFencingToken(first.getCreateRevision())),
                OptionalInt.of(waiting));
    }
}
