package io.leasehold.aop.reactive;

import io.leasehold.LockHandle;
import io.leasehold.aop.invocation.AcquiredLocks;
import java.util.ArrayList;
import java.util.List;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;

/**
 * Locks that were acquired inside a reactive transaction and end with it.
 *
 * <p>They stay bound to the Reactor context while the transaction is suspended. Calls in between also run under these locks,
 * and join them.
 */
final class ReactiveLockTransactionSynchronization implements TransactionSynchronization {

    private static final Object RESOURCE = ReactiveLockTransactionSynchronization.class;

    private final List<LockHandle> handles;

    private final boolean veto;

    private volatile boolean completed;

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
        transaction.unbindResourceIfPossible(RESOURCE);
        transaction.bindResource(RESOURCE, new Bound(all));
        transaction.registerSynchronization(this);
    }

    @Override
    public Mono<Void> beforeCommit(boolean readOnly) {
        return veto ? new ReactiveCommitVeto(handles).beforeCommit(readOnly) : Mono.empty();
    }

    @Override
    public Mono<Void> afterCompletion(int status) {
        return Mono.defer(() -> {
            completed = true;
            return Mono.fromFuture(AcquiredLocks.releaseAllAsync(handles), true)
                    .publishOn(SubscriberScheduler.current());
        });
    }

    private static List<ReactiveLockTransactionSynchronization> bound(TransactionSynchronizationManager transaction) {
        return transaction.getResource(RESOURCE) instanceof Bound bound
                ? bound.all().stream().filter(locked -> !locked.completed).toList()
                : List.of();
    }

    private record Bound(List<ReactiveLockTransactionSynchronization> all) {}
}
