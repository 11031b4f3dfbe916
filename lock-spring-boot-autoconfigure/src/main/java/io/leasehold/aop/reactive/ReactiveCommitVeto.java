package io.leasehold.aop.reactive;

import io.leasehold.LockHandle;
import io.leasehold.aop.invocation.LockLosses;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;

/**
 * Prevents the commit of a reactive transaction if a lock under which it ran is lost. A read-only transaction commits,
 * since it has no changes to roll back.
 *
 * <p>This is the last moment at which a synchronization of Spring can prevent a reactive commit: a failure of {@code
 * beforeCompletion} is only logged. A veto checks nothing that happens in a synchronization after it, and is therefore
 * compared by identity, so that a transaction may have an equal one again at its end.
 */
final class ReactiveCommitVeto implements TransactionSynchronization {

    private final List<LockHandle> handles;

    ReactiveCommitVeto(Collection<LockHandle> handles) {
        this.handles = List.copyOf(handles);
    }

    /**
     * Checks the locks after all synchronizations that a transaction has now, including the locks that end with it and
     * those that earlier vetoes check.
     */
    static void register(TransactionSynchronizationManager transaction, Collection<LockHandle> locks) {
        List<TransactionSynchronization> present = transaction.getSynchronizations();
        Set<LockHandle> handles = new LinkedHashSet<>(locks);
        present.forEach(one -> {
            if (one instanceof ReactiveTransactionBinding.LockSynchronization locked) {
                handles.addAll(locked.vetoing());
            } else if (one instanceof ReactiveCommitVeto earlier) {
                handles.addAll(earlier.handles);
            }
        });
        boolean checkedLast = !present.isEmpty()
                && present.get(present.size() - 1) instanceof ReactiveCommitVeto last
                && last.handles.containsAll(handles);
        if (!handles.isEmpty() && !checkedLast) {
            transaction.registerSynchronization(new ReactiveCommitVeto(handles));
        }
    }

    @Override
    public Mono<Void> beforeCommit(boolean readOnly) {
        return readOnly ? Mono.empty() : Mono.fromRunnable(() -> LockLosses.requireNone(handles));
    }
}
