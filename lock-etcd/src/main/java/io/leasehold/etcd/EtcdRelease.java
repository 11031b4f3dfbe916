package io.leasehold.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnRequest;
import io.leasehold.LockState.Kind;
import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Removes a key from its queue, whether it was first or still waiting.
 *
 * <ol>
 *   <li>One transaction deletes the key if it is still the one that was put. Its lease is then available to another
 *       acquisition. If the deletion is not certain, the lease is revoked.
 *   <li>A lock that has to stay held for a while is attached to a new lease of that length instead, which is not kept
 *       alive. etcd counts in seconds, so the lock is held up to a second longer, and no shorter than the shortest
 *       lease that etcd grants.
 *   <li>A lock that is held in this way already stays attached to its lease. A release that is repeated, or arrives
 *       late, does not prolong it.
 * </ol>
 */
final class EtcdRelease {

    private final EtcdResources etcd;

    private final QueueKey queueKey;

    private final Token token;

    private final CancellationScope scope;

    EtcdRelease(EtcdResources etcd, LockId id, Token token, CancellationScope scope) {
        this.etcd = etcd;
        this.token = token;
        this.queueKey = etcd.queueKey(id, token);
        this.scope = scope;
    }

    CompletableFuture<ReleaseAnswer> run(Duration retainFor) {
        // Removed before the request: only the caller that removes the entry decides about its lease.
        QueueEntry entry = etcd.entries().remove(queueKey);
        if (entry != null) {
            return leave(entry, retainFor);
        }
        return etcd.txn(scope, EtcdTransactions.find(queueKey)).thenCompose(response -> {
            KeyValue own = EtcdTransactions.first(response, 0);
            return own == null
                    ? CompletableFuture.completedFuture(ReleaseAnswer.NOT_OWNER)
                    : end(own.getCreateRevision(), retainFor).thenApply(EtcdRelease::answer);
        });
    }

    private CompletableFuture<ReleaseAnswer> leave(QueueEntry entry, Duration retainFor) {
        return end(entry.revision(), retainFor)
                .whenComplete((done, failure) -> {
                    if (failure == null && done) {
                        etcd.leases().giveBack(entry.lease());
                    } else if (failure == null || retainFor.isZero()) {
                        etcd.leases().revoke(entry.lease());
                    } else {
                        etcd.entries().add(entry);
                    }
                })
                .thenApply(EtcdRelease::answer);
    }

    private CompletableFuture<Boolean> end(long revision, Duration retainFor) {
        return retainFor.isZero() ? delete(revision) : keep(revision, retainFor);
    }

    private static ReleaseAnswer answer(boolean done) {
        return done ? ReleaseAnswer.RELEASED : ReleaseAnswer.NOT_OWNER;
    }

    private CompletableFuture<Boolean> delete(long revision) {
        return etcd.txn(scope, EtcdTransactions.leave(queueKey, revision))
                .thenApply(response -> response.getSucceeded());
    }

    private CompletableFuture<Boolean> keep(long revision, Duration retainFor) {
        return etcd.leases()
                .takeShort(scope, EtcdLease.roundUp(retainFor), true)
                .thenCompose(
                        lease -> kept(revision, lease, EtcdTransactions.keep(queueKey, revision, lease, released())));
    }

    private CompletableFuture<Boolean> kept(long revision, EtcdLease lease, TxnRequest request) {
        return etcd.txn(scope, request).thenCompose(response -> {
            if (response.getSucceeded()) {
                return CompletableFuture.completedFuture(true);
            }
            KeyValue own = EtcdTransactions.first(response, 0);
            if (own == null || own.getCreateRevision() != revision) {
                etcd.leases().giveBack(lease);
                return CompletableFuture.completedFuture(false);
            }
            if (EtcdHolder.parse(own.getValue()).kind() == Kind.RELEASED) {
                etcd.leases().giveBack(lease);
                return CompletableFuture.completedFuture(true);
            }
            // the owner may still release a revoked lock
            return kept(revision, lease, EtcdTransactions.keep(queueKey, own, lease, released()));
        });
    }

    private ByteString released() {
        return EtcdHolder.released(token);
    }
}
