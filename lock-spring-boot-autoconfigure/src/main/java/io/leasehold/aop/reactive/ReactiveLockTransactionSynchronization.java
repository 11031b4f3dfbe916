package io.leasehold.aop.reactive;

import io.leasehold.LockHandle;
import io.leasehold.aop.invocation.AcquiredLocks;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;

/**
 * Locks that were acquired inside a reactive transaction and end with it.
 *
 * <p>They stay bound to the Reactor context while the transaction is suspended. Calls in between also run under these
 * locks, and join them.
 */
final class ReactiveLockTransactionSynchronization implements TransactionSynchronization {

    private static final Object RESOURCE = ReactiveLockTransactionSynchronization.class;

    private final List<LockHandle> handles;

    private final boolean veto;

    private volatile @Nullable TransactionSynchronizationManager boundTo;

    private volatile boolean completed;

    private volatile boolean releasesLast;

    ReactiveLockTransactionSynchronization(List<LockHandle> handles, boolean veto) {
        this.handles = List.copyOf(handles);
        this.veto = veto;
    }

    /** All locks of a transaction and of the transactions that it has suspended. */
    static List<LockHandle> kept(TransactionSynchronizationManager transaction) {
        return bound(transaction).stream()
                .flatMap(locked -> locked.handles.stream())
                .toList();
    }

    void bind(TransactionSynchronizationManager transaction) {
        List<ReactiveLockTransactionSynchronization> all = new ArrayList<>(bound(transaction));
        all.add(this);
        boundTo = transaction;
        transaction.unbindResourceIfPossible(RESOURCE);
        transaction.bindResource(RESOURCE, new Bound(all));
        transaction.registerSynchronization(this);
    }

    @Override
    public Mono<Void> beforeCommit(boolean readOnly) {
        return veto ? new ReactiveCommitVeto(handles).beforeCommit(readOnly) : Mono.empty();
    }

    /** Registers the release as the last callback, so that listeners of the transaction's end run under the lock. */
    @Override
    public Mono<Void> beforeCompletion() {
        return Mono.fromRunnable(() -> {
            TransactionSynchronizationManager transaction = boundTo;
            if (transaction != null && transaction.isSynchronizationActive()) {
                transaction.registerSynchronization(new Release());
                releasesLast = true;
            }
        });
    }

    @Override
    public Mono<Void> afterCompletion(int status) {
        return Mono.defer(() -> releasesLast ? Mono.empty() : release());
    }

    private Mono<Void> release() {
        completed = true;
        return Mono.fromFuture(AcquiredLocks.releaseAllAsync(handles), true).publishOn(SubscriberScheduler.current());
    }

    private final class Release implements TransactionSynchronization {

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.defer(ReactiveLockTransactionSynchronization.this::release);
        }
    }

    private static List<ReactiveLockTransactionSynchronization> bound(TransactionSynchronizationManager transaction) {
        return transaction.getResource(RESOURCE) instanceof Bound bound
                ? bound.all().stream().filter(locked -> !locked.completed).toList()
                : List.of();
    }

    private record Bound(List<ReactiveLockTransactionSynchronization> all) {}
}
