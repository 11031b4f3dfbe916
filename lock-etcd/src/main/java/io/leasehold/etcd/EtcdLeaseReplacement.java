package io.leasehold.etcd;

import io.etcd.jetcd.api.KeyValue;
import io.leasehold.LockState.Kind;
import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.util.concurrent.CompletableFuture;

/**
 * Renews one lock whose lease is unknown to this backend, or was granted for less than the new ttl.
 *
 * <ol>
 *   <li>The key is read, and its lease is kept alive, whichever backend it was granted to. If the lease is long enough,
 *       the renewal is complete.
 *   <li>Otherwise the key is attached to a longer lease, since etcd cannot change the duration of a lease. The same
 *       transaction checks that the key was not written since it was read. Of several concurrent renewals, one
 *       therefore replaces the lease, and the others read again. No renewal shortens the result of another.
 * </ol>
 *
 * <p>The create revision of the key does not change, and neither do its place in the queue and its fencing tokens. If
 * it is unknown whether the lease was replaced, the new lease is left to expire: revoking it could end a lock that is
 * held. The next renewal reads the actual state.
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
            if (EtcdHolder.parse(own.getValue()).kind() == Kind.REVOKED) {
                return revoked();
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
                .thenCompose(lease -> etcd.txn(scope, EtcdTransactions.move(own, lease))
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

    /** The lease of the key is left to expire: the key may still be attached to it. */
    private CompletableFuture<RenewAnswer> revoked() {
        QueueEntry known = etcd.entries().get(queueKey);
        if (known != null) {
            etcd.entries().remove(known);
        }
        return CompletableFuture.completedFuture(RenewAnswer.REVOKED);
    }
}
