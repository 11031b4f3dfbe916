package io.leasehold.backend.etcd;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Hangs a key on another lease, since etcd cannot change how long a lease runs. The key stays what it is: its create
 * revision, and so its place in line and its fencing tokens, are those of its first put.
 *
 * <p>If it is unknown whether the key was moved, or somebody else has moved or released it meanwhile, the new lease is left
 * to itself: to revoke it could end a lock that is held. The next renewal finds out.
 */
final class Move {

    private final Etcd etcd;

    private final CallScope scope;

    Move(Etcd etcd, CallScope scope) {
        this.etcd = etcd;
        this.scope = scope;
    }

    /** Moves a key that hangs on a lease of ours, which may then serve another; ends with nothing if the key is gone. */
    CompletableFuture<@Nullable Claim> to(Duration ttl, Claim claim) {
        return move(ttl, claim.place(), claim.revision()).thenApply(lease -> {
            if (lease == null) {
                if (etcd.claims().remove(claim)) {
                    etcd.leases().revoke(claim.lease());
                }
                return null;
            }
            Claim moved = claim.on(lease);
            if (etcd.claims().replace(claim, moved)) {
                etcd.leases().giveBack(claim.lease());
            }
            return moved;
        });
    }

    /** Moves a key that hangs on a lease of which this backend knows nothing; ends with nothing if the key is gone. */
    CompletableFuture<@Nullable Claim> to(Duration ttl, LineKey place, long revision) {
        return move(ttl, place, revision).thenApply(lease -> {
            if (lease == null) {
                return null;
            }
            Claim moved = new Claim(place, lease, revision, true);
            etcd.claims().add(moved);
            return moved;
        });
    }

    private CompletableFuture<@Nullable EtcdLease> move(Duration ttl, LineKey place, long revision) {
        return etcd.leases()
                .take(scope, ttl, true)
                .thenCompose(lease -> etcd.txn(scope, Txns.move(place, revision, lease))
                        .thenApply(response -> {
                            if (response.getSucceeded()) {
                                return lease;
                            }
                            etcd.leases().giveBack(lease);
                            return null;
                        }));
    }
}
