package io.leasehold.etcd;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.leasehold.LockState.Kind;
import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Renews one lock by another lease: its lease is unknown to this backend, or was granted for another time than the new
 * ttl.
 *
 * <ol>
 *   <li>The key is read. Its state decides whether the lock is still held, not what is known about a lease.
 *   <li>The entry of this backend is removed. A concurrent renewal that has kept its lease alive notices that and
 *       follows these steps as well.
 *   <li>The key is attached to a new lease, since etcd cannot change the duration of a lease. The new lease runs for
 *       the new ttl, and not shorter than the present lease still does. The same transaction checks that the key was
 *       not written since it was read. Of several concurrent renewals, one therefore replaces the lease, and the others
 *       read again. No renewal shortens the result of another, not even one that arrives late.
 * </ol>
 *
 * <p>The create revision of the key does not change, and neither do its place in the queue and its fencing tokens. If
 * it is unknown whether the lease was replaced, both leases are left to expire: revoking one could end a lock that is
 * held. The next renewal finds no entry and reads the actual state.
 */
final class EtcdLeaseReplacement {

    private static final int ATTEMPTS = 5;

    private final EtcdResources etcd;

    private final CancellationScope scope;

    private final QueueKey queueKey;

    private final long seconds;

    /** The entry that this renewal has removed, and whose lease it therefore decides about. */
    private volatile @Nullable QueueEntry removed;

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
                return CompletableFuture.completedFuture(lost());
            }
            removeEntry();
            // The lease of a revoked key is left to expire: the key may still be attached to it.
            return EtcdHolder.parse(own.getValue()).kind() == Kind.REVOKED
                    ? CompletableFuture.completedFuture(RenewAnswer.REVOKED)
                    : replace(own, attempts);
        });
    }

    private CompletableFuture<RenewAnswer> replace(KeyValue own, int attempts) {
        LeaseTimeToLiveRequest request =
                LeaseTimeToLiveRequest.newBuilder().setID(own.getLease()).build();
        return etcd.client()
                .call(scope, LeaseGrpc.getLeaseTimeToLiveMethod(), request)
                // A lease that does not exist was replaced since, or has ended together with the key.
                .thenCompose(present -> present.getTTL() < 0 ? read(attempts - 1) : move(own, present, attempts));
    }

    private CompletableFuture<RenewAnswer> move(KeyValue own, LeaseTimeToLiveResponse present, int attempts) {
        // etcd reports whole seconds, rounded down.
        return etcd.leases()
                .grant(scope, Math.max(seconds, present.getTTL() + 1))
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
        QueueEntry before = removed;
        if (before != null && before.lease().id() == own.getLease()) {
            etcd.leases().giveBack(before.lease());
        }
        etcd.entries().add(new QueueEntry(queueKey, lease, own.getCreateRevision(), true));
    }

    private RenewAnswer lost() {
        removeEntry();
        QueueEntry before = removed;
        if (before != null) {
            etcd.leases().revoke(before.lease());
        }
        return RenewAnswer.NOT_OWNER;
    }

    private void removeEntry() {
        QueueEntry entry = etcd.entries().get(queueKey);
        if (entry != null && entry.granted() && etcd.entries().remove(entry)) {
            removed = entry;
        }
    }
}
