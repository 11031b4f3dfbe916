package io.leasehold.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState.Kind;
import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.etcd.client.EtcdErrors;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.LockId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Takes a lock from its holder.
 *
 * <ol>
 *   <li>The first key of the queue is read. Its create revision has to be the one of the named fencing token.
 *   <li>One transaction marks the key as revoked. It fails if the key was written since it was read; the key is then
 *       read again. A renewal that reads the key later finds the mark.
 *   <li>The key is then moved to a new lease, because the holder's next renewal still keeps its own lease alive. The
 *       new lease is granted after the mark and is as long as the one of the holder. It therefore ends after every
 *       validity that an answer has confirmed to the holder, and that an answer on its way may still confirm.
 *   <li>A key that is only retained, because its holder has released the lock, is deleted.
 * </ol>
 *
 * <p>If the move fails, the lock ends with the holder's lease, which its holder keeps alive once more at most. The new
 * lease is left to expire if the answer is unknown: revoking it could end the lock before its holder knows.
 */
final class EtcdRevocation {

    private static final int ATTEMPTS = 20;

    /** For a holder whose key has no lease. Its lock may still be valid for a ttl that only its process knows. */
    private static final long SECONDS_WITHOUT_LEASE = 300;

    private final EtcdResources etcd;

    private final CancellationScope scope;

    EtcdRevocation(EtcdResources etcd, CancellationScope scope) {
        this.etcd = etcd;
        this.scope = scope;
    }

    CompletableFuture<Outcome> run(LockId id, long fencingToken) {
        return read(etcd.queueOf(id), fencingToken, ATTEMPTS);
    }

    private CompletableFuture<Outcome> read(QueueKey queueKey, long fencingToken, int attempts) {
        if (attempts == 0) {
            return CompletableFuture.failedFuture(
                    new BackendFailure(BackendFailure.Effect.NOT_DONE, "the key changed each time it was read", null));
        }
        return etcd.txn(scope, EtcdTransactions.first(queueKey)).thenCompose(response -> {
            KeyValue first = EtcdTransactions.first(response, 0);
            if (first == null) {
                return CompletableFuture.completedFuture(Outcome.FREE);
            }
            if (QueueKey.lastFencingToken(first.getCreateRevision()) != fencingToken) {
                return CompletableFuture.completedFuture(Outcome.OTHER_HOLDER);
            }
            EtcdHolder holder = EtcdHolder.parse(first.getValue());
            // without a lease, the key that was marked before would never expire
            if (holder.kind() == Kind.REVOKED && first.getLease() != EtcdDescription.NO_LEASE) {
                return CompletableFuture.completedFuture(Outcome.REVOKED);
            }
            CompletableFuture<@Nullable Outcome> changed =
                    holder.kind() == Kind.RELEASED ? delete(first) : mark(first, holder.revoked());
            return changed.thenCompose(outcome -> outcome == null
                    ? read(queueKey, fencingToken, attempts - 1)
                    : CompletableFuture.completedFuture(outcome));
        });
    }

    /** Completes with {@code null} if the key was written or deleted meanwhile. */
    private CompletableFuture<@Nullable Outcome> delete(KeyValue read) {
        return etcd.txn(scope, EtcdTransactions.delete(read))
                .thenApply(response -> response.getSucceeded() ? Outcome.REMOVED : null);
    }

    /** Completes with {@code null} if the key was written or deleted meanwhile. */
    private CompletableFuture<@Nullable Outcome> mark(KeyValue read, ByteString revoked) {
        return etcd.txn(scope, EtcdTransactions.mark(read, revoked))
                .<@Nullable Outcome>thenCompose(response -> {
                    if (!response.getSucceeded()) {
                        return CompletableFuture.<@Nullable Outcome>completedFuture(null);
                    }
                    KeyValue marked = read.toBuilder()
                            .setModRevision(response.getHeader().getRevision())
                            .build();
                    return toOtherLease(marked).<@Nullable Outcome>handle((done, failure) -> Outcome.REVOKED);
                })
                .exceptionallyCompose(failure -> EtcdErrors.isRefused(failure)
                        ? unlessMarked(read, revoked, failure)
                        : CompletableFuture.failedFuture(failure));
    }

    /** Fails with a refusal unless the key is marked nevertheless. */
    private CompletableFuture<@Nullable Outcome> unlessMarked(KeyValue read, ByteString revoked, Throwable refusal) {
        return etcd.txn(scope, EtcdTransactions.read(List.of(read.getKey()))).thenCompose(response -> {
            KeyValue now = EtcdTransactions.first(response, 0);
            boolean marked = now != null
                    && now.getCreateRevision() == read.getCreateRevision()
                    && now.getValue().equals(revoked);
            return marked
                    ? CompletableFuture.<@Nullable Outcome>completedFuture(Outcome.REVOKED)
                    : CompletableFuture.failedFuture(refusal);
        });
    }

    private CompletableFuture<?> toOtherLease(KeyValue marked) {
        return etcd.timeToLive(scope, marked)
                .thenCompose(lease -> etcd.leases()
                        .grant(scope, lease.getGrantedTTL() > 0 ? lease.getGrantedTTL() : SECONDS_WITHOUT_LEASE))
                .thenCompose(lease -> etcd.txn(scope, EtcdTransactions.move(marked, lease))
                        .thenAccept(response -> {
                            if (!response.getSucceeded()) {
                                etcd.leases().giveBack(lease);
                            }
                        }));
    }
}
