package io.leasehold.etcd;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnResponse;
import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.etcd.client.EtcdErrors;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.RenewCommand;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One attempt to acquire a lock.
 *
 * <ol>
 *   <li>A token without a key puts one into the queue if the queue is empty. The check and the put are one transaction.
 *       The lock is then granted.
 *   <li>If the queue is not empty, nothing is put. A caller that does not wait gets the answer that the lock is busy. A
 *       caller that waits is queued as described in {@link EtcdQueueWait}.
 *   <li>A token that was granted the lock before is granted it again if its key still exists.
 *   <li>A token whose lock was revoked, or released and retained, waits until that lock ends.
 *   <li>A granted lease certainly runs for the whole ttl from the moment of the attempt. It is kept alive in parallel
 *       with the transaction unless it was granted, or kept alive, just before.
 * </ol>
 */
final class EtcdAcquisition {

    private final EtcdResources etcd;

    private final AcquireCommand command;

    private final QueueKey queueKey;

    private final CancellationScope scope;

    EtcdAcquisition(EtcdResources etcd, AcquireCommand command, CancellationScope scope) {
        this.etcd = etcd;
        this.command = command;
        this.queueKey = etcd.queueKey(command.id(), command.token());
        this.scope = scope;
    }

    CompletableFuture<AcquireAnswer> run() {
        QueueEntry entry = etcd.entries().get(queueKey);
        if (entry == null) {
            return enter(false);
        }
        return entry.granted() ? again(entry.revision()) : waiting().ask(entry, false);
    }

    /** Tries to acquire the lock for a token without a key in the queue. */
    CompletableFuture<AcquireAnswer> enter(boolean onNewLease) {
        return etcd.leases()
                .take(scope, command.ttl(), onNewLease)
                .thenCompose(lease -> CancellationScope.either(
                        etcd.txn(
                                scope,
                                lease,
                                command.ttl(),
                                EtcdTransactions.enter(queueKey, lease, etcd.holder(command.token()))),
                        response -> entered(lease, response),
                        failure -> notEntered(lease, failure, onNewLease)));
    }

    CompletableFuture<AcquireAnswer> granted(long revision) {
        return CompletableFuture.completedFuture(new Granted(QueueKey.firstFencingToken(revision)));
    }

    private CompletableFuture<AcquireAnswer> entered(EtcdLease lease, TxnResponse response) {
        if (response.getSucceeded()) {
            QueueEntry entry =
                    new QueueEntry(queueKey, lease, response.getHeader().getRevision(), true);
            etcd.entries().put(entry);
            return granted(entry.revision());
        }
        etcd.leases().giveBack(lease);
        KeyValue own = EtcdTransactions.first(response, 0);
        KeyValue holder = EtcdTransactions.first(response, 1);
        if (own != null && own.equals(holder)) {
            // a renewal would refuse a key that was released or revoked, and this method would be called again
            return EtcdHolder.parse(own.getValue()).refusal() == null
                    ? again(own.getCreateRevision())
                    : waiting().remaining(holder).thenApply(Busy::new);
        }
        return own != null || command.queueIfBusy()
                ? waiting().enqueue(false)
                : waiting().remaining(holder).thenApply(Busy::new);
    }

    private CompletableFuture<AcquireAnswer> notEntered(EtcdLease lease, Throwable failure, boolean onNewLease) {
        if (EtcdErrors.isLeaseGone(failure) && !onNewLease) {
            return enter(true);
        }
        etcd.leases().putAway(lease, failure);
        return CompletableFuture.failedFuture(failure);
    }

    private CompletableFuture<AcquireAnswer> again(long revision) {
        RenewCommand renewal = new RenewCommand(command.id(), command.token(), command.ttl());
        return new EtcdRenewal(etcd, scope).run(List.of(renewal)).thenCompose(answers -> switch (answers.get(0)) {
            case RENEWED -> granted(revision);
            case NOT_OWNER -> enter(false);
            case REVOKED -> waiting().untilRevokedEnds();
            case UNKNOWN ->
                CompletableFuture.failedFuture(new BackendFailure(
                        BackendFailure.Effect.UNKNOWN, "etcd did not say whether the lease still runs", null));
        });
    }

    private EtcdQueueWait waiting() {
        return new EtcdQueueWait(etcd, command, queueKey, scope, this);
    }
}
