package io.leasehold.backend.etcd;

import io.etcd.jetcd.api.KeyValue;
import io.leasehold.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Takes a key out of its line, whether it was first or still waiting.
 *
 * <ol>
 *   <li>In one transaction the key is deleted if it still is the one that was put. Its lease is then free for another
 *       acquisition; if that is not certain, the lease is revoked.
 *   <li>A lock that has to stay taken for a while is put on a new lease of that length instead, which nobody keeps alive.
 *       etcd counts in seconds, so it stays up to a second longer, and no less than the shortest lease that etcd grants.
 * </ol>
 */
final class Departure {

    private final Etcd etcd;

    private final LineKey place;

    private final CallScope scope;

    Departure(Etcd etcd, LineKey place, CallScope scope) {
        this.etcd = etcd;
        this.place = place;
        this.scope = scope;
    }

    CompletableFuture<ReleaseAnswer> run(Duration keepFor) {
        Claim claim = etcd.claims().remove(place);
        if (claim != null) {
            return leave(claim, keepFor);
        }
        return etcd.txn(scope, Txns.find(place)).thenCompose(response -> {
            KeyValue own = TxnAnswers.first(response, 0);
            return own == null
                    ? CompletableFuture.completedFuture(ReleaseAnswer.NOT_OWNER)
                    : end(own.getCreateRevision(), keepFor).thenApply(Departure::answer);
        });
    }

    private CompletableFuture<ReleaseAnswer> leave(Claim claim, Duration keepFor) {
        return end(claim.revision(), keepFor)
                .whenComplete((done, failure) -> {
                    if (failure == null && done) {
                        etcd.leases().giveBack(claim.lease());
                    } else if (failure == null || keepFor.isZero()) {
                        etcd.leases().revoke(claim.lease());
                    } else {
                        etcd.claims().add(claim);
                    }
                })
                .thenApply(Departure::answer);
    }

    private CompletableFuture<Boolean> end(long revision, Duration keepFor) {
        return keepFor.isZero() ? delete(revision) : keep(revision, keepFor);
    }

    private static ReleaseAnswer answer(boolean done) {
        return done ? ReleaseAnswer.RELEASED : ReleaseAnswer.NOT_OWNER;
    }

    private CompletableFuture<Boolean> delete(long revision) {
        return etcd.txn(scope, Txns.leave(place, revision)).thenApply(response -> response.getSucceeded());
    }

    private CompletableFuture<Boolean> keep(long revision, Duration keepFor) {
        return etcd.leases()
                .takeShort(scope, EtcdLease.roundUp(keepFor), true)
                .thenCompose(lease -> etcd.txn(scope, Txns.keep(place, revision, lease))
                        .thenApply(response -> {
                            if (!response.getSucceeded()) {
                                etcd.leases().giveBack(lease);
                            }
                            return response.getSucceeded();
                        }));
    }
}
