package io.leasehold.etcd;

import io.etcd.jetcd.api.KeyValue;
import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.util.concurrent.CompletableFuture;

/**
 * Renews one lock of whose lease this backend knows nothing, or whose lease was granted for less than the new ttl.
 *
 * <ol>
 *   <li>The key is read, and its lease is kept alive, whoever was granted it. That is all if the lease is long enough.
 *   <li>If not, the key is hung on a longer one, since etcd cannot change how long a lease runs; in one transaction with
 *       the question whether anybody has written the key since. So of several renewals that overtake each other, one moves
 *       the key, and the others read again; and none shortens what another has prolonged.
 * </ol>
 *
 * The key stays what it is: its create revision, and so its place in the queue and its fencing tokens, are those of its first
 * put. If it is unknown whether the key was moved, the new lease is left to itself: to revoke it could end a lock that is
 * held. The next renewal finds out.
 */
final class EtcdLeaseReplacement {

    private static final int ATTEMPTS = 5;

    private final EtcdResources etcd;

    private final CancellationScope scope;

    private final QueueKey queueKey;

    private final long seconds;

    EtcdLeaseReplacement(EtcdResources etcd, CancellationScope scope, RenewCommand command) {
        this.etcd = etcd;
        this.scope = scope;
        this.queueKey = etcd.queueKey(command.id(), command.token());
        this.seconds = EtcdLease.secondsFor(command.ttl());
    }

    CompletableFuture<RenewAnswer> run() {
        return read(ATTEMPTS);
    }

    private CompletableFuture<RenewAnswer> read(int attempts) {
        if (attempts == 0) {
            return CompletableFuture.completedFuture(RenewAnswer.UNKNOWN);
        }
        return etcd.txn(scope, EtcdTransactions.find(queueKey)).thenCompose(response -> {
            KeyValue own = EtcdTransactions.first(response, 0);
            if (own == null || !own.equals(EtcdTransactions.first(response, 1))) {
                return lost();
            }
            long sentAt = etcd.client().now();
            return etcd.client().keepAlive(scope, own.getLease()).thenCompose(granted -> {
                if (granted <= 0) {
                    return lost();
                }
                keptAlive(own, sentAt);
                return granted >= seconds
                        ? CompletableFuture.completedFuture(RenewAnswer.RENEWED)
                        : move(own, attempts);
            });
        });
    }

    private void keptAlive(KeyValue own, long sentAt) {
        QueueEntry known = etcd.entries().get(queueKey);
        if (known != null && known.lease().id() == own.getLease()) {
            known.lease().keptAlive(sentAt);
        }
    }

    private CompletableFuture<RenewAnswer> move(KeyValue own, int attempts) {
        return etcd.leases()
                .takeShort(scope, seconds, true)
                .thenCompose(lease -> etcd.txn(scope, EtcdTransactions.move(queueKey, own, lease))
                        .thenCompose(response -> {
                            if (!response.getSucceeded()) {
                                etcd.leases().giveBack(lease);
                                return read(attempts - 1);
                            }
                            moved(own, lease);
                            return CompletableFuture.completedFuture(RenewAnswer.RENEWED);
                        }));
    }

    private void moved(KeyValue own, EtcdLease lease) {
        QueueEntry known = etcd.entries().get(queueKey);
        QueueEntry moved = new QueueEntry(queueKey, lease, own.getCreateRevision(), true);
        if (known == null) {
            etcd.entries().add(moved);
        } else if (etcd.entries().replace(known, moved) && known.lease().id() == own.getLease()) {
            etcd.leases().giveBack(known.lease());
        }
    }

    private CompletableFuture<RenewAnswer> lost() {
        QueueEntry known = etcd.entries().get(queueKey);
        if (known != null && known.granted() && etcd.entries().remove(known)) {
            etcd.leases().revoke(known.lease());
        }
        return CompletableFuture.completedFuture(RenewAnswer.NOT_OWNER);
    }
}
