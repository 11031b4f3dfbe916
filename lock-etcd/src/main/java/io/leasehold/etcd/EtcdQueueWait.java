package io.leasehold.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnResponse;
import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.etcd.client.EtcdErrors;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A waiter's place in the queue.
 *
 * <ol>
 *   <li>A waiter's key is attached to a lease of {@value #SECONDS} seconds, whatever the ttl. A waiter that died, or is
 *       suspended, therefore blocks those behind it no longer than that. Each attempt keeps the lease alive: a waiter
 *       that retries within two seconds keeps its place.
 *   <li>A waiter is notified when the key directly before its own is deleted, by a watch that starts at the revision at
 *       which that key was seen. Each deletion therefore wakes one waiter. A watch that ends without a deletion wakes
 *       it as well. A watch that is lost without notice delays the waiter until its next attempt, which is soon enough
 *       for it to keep its place.
 *   <li>Each attempt is one transaction: if the key is still the one that was put, and no key in the queue is older, it
 *       is attached to a lease for the ttl, and the lock is granted.
 * </ol>
 */
final class EtcdQueueWait {

    private static final long SECONDS = 3;

    private static final Duration RETRY_AFTER = Duration.ofMillis(1_500);

    private static final Duration LEAST = Duration.ofMillis(2_800);

    private static final Duration LEAST_REMAINING = Duration.ofMillis(100);

    private final EtcdResources etcd;

    private final AcquireCommand command;

    private final QueueKey queueKey;

    private final CancellationScope scope;

    private final EtcdAcquisition acquisition;

    EtcdQueueWait(
            EtcdResources etcd,
            AcquireCommand command,
            QueueKey queueKey,
            CancellationScope scope,
            EtcdAcquisition acquisition) {
        this.etcd = etcd;
        this.command = command;
        this.queueKey = queueKey;
        this.scope = scope;
        this.acquisition = acquisition;
    }

    /** Puts a key at the end of the queue. */
    CompletableFuture<AcquireAnswer> enqueue(boolean onNewLease) {
        return etcd.leases()
                .takeShort(scope, SECONDS, onNewLease)
                .thenCompose(lease -> CancellationScope.either(
                        etcd.txn(scope, lease, LEAST, EtcdTransactions.enqueue(queueKey, lease, holder())),
                        response -> enqueued(lease, response),
                        failure -> {
                            if (EtcdErrors.isLeaseGone(failure) && !onNewLease) {
                                return enqueue(true);
                            }
                            etcd.leases().putAway(lease, failure);
                            return CompletableFuture.failedFuture(failure);
                        }));
    }

    /** Tries to acquire the lock for a key in the queue. */
    CompletableFuture<AcquireAnswer> ask(QueueEntry entry, boolean onNewLease) {
        CompletableFuture<@Nullable Throwable> kept =
                etcd.leases().refresh(scope, entry.lease(), LEAST).handle((lease, failure) -> failure);
        return CancellationScope.either(
                etcd.leases().take(scope, command.ttl(), onNewLease),
                lease -> CancellationScope.either(
                        etcd.txn(scope, lease, command.ttl(), EtcdTransactions.ask(entry, lease, holder())),
                        response -> asked(entry, lease, response, kept),
                        failure -> notAsked(entry, lease, failure, onNewLease)),
                failure -> mayBeQueued(entry, failure));
    }

    /** Waits for the end of the token's own key, which was revoked, and which no watch reports earlier. */
    CompletableFuture<AcquireAnswer> untilRevokedEnds() {
        return etcd.txn(scope, EtcdTransactions.find(queueKey))
                .thenCompose(response -> remaining(EtcdTransactions.first(response, 1)))
                .thenApply(Busy::new);
    }

    /** How long the lease of a key runs; never zero, since etcd ends expired leases only twice a second. */
    CompletableFuture<Duration> remaining(@Nullable KeyValue holder) {
        if (holder == null || holder.getLease() == 0) {
            return CompletableFuture.completedFuture(command.ttl());
        }
        return etcd.timeToLive(scope, holder)
                .thenApply(lease -> Duration.ofSeconds(lease.getTTL()))
                .exceptionally(failure -> command.ttl())
                .thenApply(left -> left.compareTo(LEAST_REMAINING) > 0 ? left : LEAST_REMAINING);
    }

    private CompletableFuture<AcquireAnswer> enqueued(EtcdLease lease, TxnResponse response) {
        KeyValue own = EtcdTransactions.first(response, 1);
        KeyValue holder = EtcdTransactions.first(response, 2);
        List<KeyValue> newest = EtcdTransactions.all(response, 3);
        if (own == null || holder == null) {
            throw new IllegalStateException("etcd does not show the key that it has just put: " + response);
        }
        QueueEntry entry = new QueueEntry(queueKey, lease, own.getCreateRevision(), false);
        etcd.entries().put(entry);
        boolean last = newest.size() > 1 && own.equals(newest.get(0));
        return last ? queued(holder, newest.get(1), response) : ask(entry, false);
    }

    private CompletableFuture<AcquireAnswer> asked(
            QueueEntry entry, EtcdLease lease, TxnResponse response, CompletableFuture<@Nullable Throwable> kept) {
        if (response.getSucceeded()) {
            if (etcd.entries().replace(entry, entry.grantedOn(lease))) {
                etcd.leases().giveBack(entry.lease());
            }
            return acquisition.granted(entry.revision());
        }
        etcd.leases().giveBack(lease);
        KeyValue own = EtcdTransactions.first(response, 0);
        KeyValue holder = EtcdTransactions.first(response, 1);
        KeyValue before = EtcdTransactions.first(response, 2);
        if (own == null || own.getCreateRevision() != entry.revision() || holder == null || before == null) {
            return placeLost(entry);
        }
        return kept.thenCompose(failure -> failure != null && EtcdErrors.isLeaseGone(failure)
                ? placeLost(entry)
                : queued(holder, before, response));
    }

    private CompletableFuture<AcquireAnswer> placeLost(QueueEntry entry) {
        etcd.drop(entry);
        return acquisition.enter(false);
    }

    private CompletableFuture<AcquireAnswer> notAsked(
            QueueEntry entry, EtcdLease lease, Throwable failure, boolean onNewLease) {
        if (EtcdErrors.isLeaseGone(failure) && !onNewLease) {
            return ask(entry, true);
        }
        etcd.leases().putAway(lease, failure);
        return mayBeQueued(entry, failure);
    }

    /**
     * Fails as unknown unless etcd refused the request: the token may be in the queue, so a caller that gives up has to
     * release it.
     */
    private CompletableFuture<AcquireAnswer> mayBeQueued(QueueEntry entry, Throwable failure) {
        if (EtcdErrors.isRefused(failure)) {
            etcd.drop(entry);
            return CompletableFuture.failedFuture(failure);
        }
        return CompletableFuture.failedFuture(
                new BackendFailure(BackendFailure.Effect.UNKNOWN, String.valueOf(failure.getMessage()), failure));
    }

    private ByteString holder() {
        return etcd.holder(command.token());
    }

    private CompletableFuture<AcquireAnswer> queued(KeyValue holder, KeyValue before, TxnResponse response) {
        return remaining(holder)
                .thenApply(remaining -> new Busy(
                        remaining,
                        etcd.client()
                                .deletion(before.getKey(), response.getHeader().getRevision()),
                        true,
                        RETRY_AFTER));
    }
}
