package io.leasehold.backend.etcd;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.util.concurrent.CompletableFuture;

/**
 * Renews one lock by hanging its key on another lease, since etcd cannot change how long a lease runs; and so also a lock
 * of whose lease this backend knows nothing.
 *
 * <ol>
 *   <li>The key is read, and its lease is asked how long it was granted for. The new lease is no shorter.
 *   <li>In one transaction the key is hung on the new lease if nobody has written it since. So of several renewals that
 *       overtake each other, one moves the key, and the others read again.
 * </ol>
 *
 * The key stays what it is: its create revision, and so its place in line and its fencing tokens, are those of its first
 * put. If it is unknown whether the key was moved, the new lease is left to itself: to revoke it could end a lock that is
 * held. The next renewal finds out.
 */
final class Move {

    private static final int ATTEMPTS = 5;

    private final Etcd etcd;

    private final CallScope scope;

    private final LineKey place;

    private final long seconds;

    Move(Etcd etcd, CallScope scope, RenewCommand command) {
        this.etcd = etcd;
        this.scope = scope;
        this.place = etcd.place(command.id(), command.token());
        this.seconds = EtcdLease.secondsFor(command.ttl());
    }

    CompletableFuture<RenewAnswer> run() {
        return read(ATTEMPTS);
    }

    private CompletableFuture<RenewAnswer> read(int attempts) {
        if (attempts == 0) {
            return CompletableFuture.completedFuture(RenewAnswer.UNKNOWN);
        }
        return etcd.txn(scope, Txns.find(place)).thenCompose(response -> {
            KeyValue own = TxnAnswers.first(response, 0);
            if (own == null || !own.equals(TxnAnswers.first(response, 1))) {
                return lost();
            }
            LeaseTimeToLiveRequest request =
                    LeaseTimeToLiveRequest.newBuilder().setID(own.getLease()).build();
            return etcd.client()
                    .call(scope, LeaseGrpc.getLeaseTimeToLiveMethod(), request)
                    .thenCompose(lease -> lease.getTTL() < 0 ? lost() : move(own, lease, attempts));
        });
    }

    private CompletableFuture<RenewAnswer> move(KeyValue own, LeaseTimeToLiveResponse old, int attempts) {
        long atLeast = Math.max(seconds, old.getGrantedTTL());
        return etcd.leases()
                .takeShort(scope, atLeast, true)
                .thenCompose(lease -> etcd.txn(scope, Txns.move(place, own, lease))
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
        Claim known = etcd.claims().get(place);
        Claim moved = new Claim(place, lease, own.getCreateRevision(), true);
        if (known == null) {
            etcd.claims().add(moved);
        } else if (etcd.claims().replace(known, moved) && known.lease().id() == own.getLease()) {
            etcd.leases().giveBack(known.lease());
        }
    }

    private CompletableFuture<RenewAnswer> lost() {
        Claim known = etcd.claims().get(place);
        if (known != null && known.granted() && etcd.claims().remove(known)) {
            etcd.leases().revoke(known.lease());
        }
        return CompletableFuture.completedFuture(RenewAnswer.NOT_OWNER);
    }
}
