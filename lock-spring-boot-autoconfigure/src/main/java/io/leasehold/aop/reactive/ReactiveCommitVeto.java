package io.leasehold.aop.reactive;

import io.leasehold.LockHandle;
import io.leasehold.aop.invocation.LockLosses;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Prevents the commit of a reactive transaction if a lock under which it ran is lost, and the release of its locks until
 * the commit has ended. A read-only transaction commits, since it has no changes to roll back.
 *
 * <p>This is the last moment at which a synchronization of Spring can prevent a reactive commit: a failure of {@code
 * beforeCompletion} is only logged. A veto checks nothing that happens in a synchronization after it, and is therefore
 * compared by identity, so that a transaction may have an equal one again at its end.
 */
final class ReactiveCommitVeto implements TransactionSynchronization {

    private final List<LockHandle> handles;

    private final List<PendingWork> calls;

    /** The end of the transaction, the same for all of its vetoes. */
    private final CompletableFuture<Void> end;

    ReactiveCommitVeto(Collection<LockHandle> handles, Collection<PendingWork> calls, CompletableFuture<Void> end) {
        this.handles = List.copyOf(handles);
        this.calls = List.copyOf(calls);
        this.end = end;
    }

    /**
     * Checks the locks after all synchronizations that a transaction has now, including the locks that end with it and
     * those that earlier vetoes check.
     *
     * @param calls the calls that release their locks only after the commit
     */
    static void register(
            TransactionSynchronizationManager transaction,
            Collection<LockHandle> locks,
            Collection<PendingWork> calls) {
        List<TransactionSynchronization> present = transaction.getSynchronizations();
        Set<LockHandle> handles = new LinkedHashSet<>(locks);
        Set<PendingWork> waiting = new LinkedHashSet<>(calls);
        CompletableFuture<Void> end = new CompletableFuture<>();
        for (TransactionSynchronization one : present) {
            if (one instanceof ReactiveTransactionBinding.LockSynchronization locked) {
                handles.addAll(locked.vetoing());
            } else if (one instanceof ReactiveCommitVeto earlier) {
                handles.addAll(earlier.handles);
                waiting.addAll(earlier.calls);
                end = earlier.end;
            }
        }
        boolean checkedLast = !present.isEmpty()
                && present.get(present.size() - 1) instanceof ReactiveCommitVeto last
                && last.handles.containsAll(handles)
                && last.calls.containsAll(waiting);
        if (!(handles.isEmpty() && waiting.isEmpty()) && !checkedLast) {
            transaction.registerSynchronization(new ReactiveCommitVeto(handles, waiting, end));
        }
    }

    @Override
    public Mono<Void> beforeCommit(boolean readOnly) {
        return readOnly
                ? Mono.empty()
                : Flux.fromIterable(calls)
                        .concatMap(call -> Mono.fromFuture(call.add(end), true))
                        .then(Mono.fromRunnable(() -> LockLosses.requireNone(handles)));
    }

    @Override
    public Mono<Void> afterCompletion(int status) {
        return Mono.fromRunnable(this::end);
    }

    /** Lets the calls go on that await the end of the transaction. */
    void end() {
        end.complete(null);
    }
}
