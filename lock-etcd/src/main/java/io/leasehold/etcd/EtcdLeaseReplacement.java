package io.leasehold.etcd;

import io.etcd.jetcd.api.KeyValue;
import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.etcd.client.EtcdErrors;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Renews one lock by another lease: its lease is unknown to this backend, or was granted for another time than the new
 * ttl. A backend replaces the lease of a key once at a time.
 *
 * <ol>
 *   <li>The key is read. Its state decides whether the lock is still held, not what is known about a lease.
 *   <li>The entry of this backend is removed. A concurrent renewal that has kept its lease alive notices that and
 *       replaces the lease as well.
 *   <li>The key is attached to a new lease, since etcd cannot change the duration of a lease. The new lease runs for
 *       the new ttl, and not shorter than the present lease still does. The same transaction checks that the key was
 *       not written since it was read. No renewal therefore shortens the result of another, not even one that arrives
 *       late.
 * </ol>
 *
 * <p>If etcd grants no new lease, or refuses to attach the key to it, the entry is put back, because the key still has
 * its lease.
 *
 * <p>The create revision of the key does not change, and neither do its place in the queue and its fencing tokens. If
 * it is unknown whether the lease was replaced, both leases are left to expire: revoking one could end a lock that is
 * held. The entry has both then, and the next renewal reads which one the key has.
 */
final class EtcdLeaseReplacement {

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

    /** Completes with {@code null} if the key was written meanwhile. */
    CompletableFuture<@Nullable RenewAnswer> run() {
        return etcd.txn(scope, EtcdTransactions.find(queueKey)).thenCompose(response -> {
            KeyValue own = EtcdTransactions.first(response, 0);
            boolean held = own != null && own.equals(EtcdTransactions.first(response, 1));
            QueueEntry entry = etcd.entries().get(queueKey);
            if (own == null || !held) {
                return CompletableFuture.completedFuture(lost(entry));
            }
            RenewAnswer refusal = EtcdHolder.parse(own.getValue()).refusal();
            if (refusal != null) {
                // The lease is left to expire: the key may still be attached to it.
                etcd.entries().remove(queueKey);
                return CompletableFuture.completedFuture(refusal);
            }
            return replace(own, etcd.entries().remove(queueKey));
        });
    }

    private CompletableFuture<@Nullable RenewAnswer> replace(KeyValue own, @Nullable QueueEntry removed) {
        return newLease(own)
                .handle((lease, failure) -> {
                    if (failure != null) {
                        return keepPresent(own, removed, failure);
                    }
                    return lease == null
                            ? CompletableFuture.<@Nullable RenewAnswer>completedFuture(null)
                            : move(own, lease, removed);
                })
                .thenCompose(Function.identity());
    }

    /** Completes with {@code null} if the present lease does not exist: it was replaced since, or ended with the key. */
    private CompletableFuture<@Nullable EtcdLease> newLease(KeyValue own) {
        return etcd.timeToLive(scope, own)
                .thenCompose(present -> present.getTTL() < 0
                        ? CompletableFuture.<@Nullable EtcdLease>completedFuture(null)
                        // etcd reports whole seconds, rounded down.
                        : etcd.leases().grant(scope, Math.max(seconds, present.getTTL() + 1)));
    }

    /**
     * etcd has granted no lease, or has not attached the key to it, for example because it has no space. The key still
     * has the present one, which the next renewal keeps alive. If it is as long as requested, this renewal does so. A
     * lease to which an earlier request may still attach the key has to be as long, and is kept alive as well.
     */
    private CompletableFuture<@Nullable RenewAnswer> keepPresent(
            KeyValue own, @Nullable QueueEntry removed, Throwable failure) {
        if (removed == null) {
            return CompletableFuture.failedFuture(failure);
        }
        etcd.entries().add(removed);
        List<EtcdLease> leases = removed.leasesOf(own);
        if (leases.isEmpty() || leases.stream().anyMatch(lease -> lease.seconds() < seconds)) {
            return CompletableFuture.failedFuture(failure);
        }
        return CompletableFuture.allOf(leases.stream()
                        .map(lease -> keepAlive(lease, lease.id() == own.getLease()))
                        .toArray(CompletableFuture<?>[]::new))
                // read afterwards, so that a key that was written or deleted until then is noticed
                .thenCompose(alive -> etcd.txn(scope, EtcdTransactions.find(queueKey)))
                .thenApply(response -> own.equals(EtcdTransactions.first(response, 0)) ? RenewAnswer.RENEWED : null);
    }

    /** A lease that does not exist cannot get the key. */
    private CompletableFuture<?> keepAlive(EtcdLease lease, boolean hasKey) {
        return CancellationScope.either(
                etcd.leases().keepAlive(scope, lease),
                CompletableFuture::completedFuture,
                failure -> !hasKey && EtcdErrors.isLeaseGone(failure)
                        ? CompletableFuture.completedFuture(lease)
                        : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<@Nullable RenewAnswer> move(KeyValue own, EtcdLease lease, @Nullable QueueEntry removed) {
        QueueEntry entry = new QueueEntry(queueKey, lease, own.getCreateRevision(), true);
        return etcd.txn(scope, EtcdTransactions.move(own, lease))
                .handle((response, failure) -> failure == null
                        ? CompletableFuture.completedFuture(moved(own, entry, removed, response.getSucceeded()))
                        : notMoved(own, entry, removed, failure))
                .thenCompose(Function.identity());
    }

    private @Nullable RenewAnswer moved(
            KeyValue own, QueueEntry entry, @Nullable QueueEntry removed, boolean succeeded) {
        if (!succeeded) {
            etcd.leases().giveBack(entry.lease());
            return null;
        }
        if (removed != null && removed.lease().id() == own.getLease()) {
            etcd.leases().giveBack(removed.lease());
        }
        etcd.entries().add(entry);
        return RenewAnswer.RENEWED;
    }

    private CompletableFuture<@Nullable RenewAnswer> notMoved(
            KeyValue own, QueueEntry entry, @Nullable QueueEntry removed, Throwable failure) {
        if (EtcdErrors.mayHaveHappened(failure) && !EtcdErrors.isRefused(failure)) {
            // The next renewal reads whether the key has this lease. If so, it needs no other one.
            EtcdLease known = removed == null ? null : removed.lease();
            etcd.entries().add(entry.orStillOn(known != null && known.id() == own.getLease() ? known : null));
            return CompletableFuture.failedFuture(failure);
        }
        return etcd.txn(scope, EtcdTransactions.find(queueKey)).thenCompose(response -> {
            KeyValue now = EtcdTransactions.first(response, 0);
            if (now != null && now.getLease() == entry.lease().id()) {
                etcd.entries().add(entry);
                return CompletableFuture.<@Nullable RenewAnswer>completedFuture(null);
            }
            etcd.leases().putAway(entry.lease(), failure);
            return keepPresent(own, removed, failure);
        });
    }

    private RenewAnswer lost(@Nullable QueueEntry entry) {
        if (entry != null && entry.granted()) {
            etcd.drop(entry);
        }
        return RenewAnswer.NOT_OWNER;
    }
}
