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

    private final List<PendingCommits> commits;

    /** The end of the transaction, the same for all of its vetoes. */
    private final CompletableFuture<Void> end;

    ReactiveCommitVeto(
            Collection<LockHandle> handles, Collection<PendingCommits> commits, CompletableFuture<Void> end) {
        this.handles = List.copyOf(handles);
        this.commits = List.copyOf(commits);
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
            Collection<PendingCommits> calls) {
        List<TransactionSynchronization> present = transaction.getSynchronizations();
        Set<LockHandle> handles = new LinkedHashSet<>(locks);
        Set<PendingCommits> commits = new LinkedHashSet<>(calls);
        CompletableFuture<Void> end = new CompletableFuture<>();
        for (TransactionSynchronization one : present) {
            if (one instanceof ReactiveTransactionBinding.LockSynchronization locked) {
                handles.addAll(locked.vetoing());
            } else if (one instanceof ReactiveCommitVeto earlier) {
                handles.addAll(earlier.handles);
                commits.addAll(earlier.commits);
                end = earlier.end;
            }
        }
        boolean checkedLast = !present.isEmpty()
                && present.get(present.size() - 1) instanceof ReactiveCommitVeto last
                && last.handles.containsAll(handles)
                && last.commits.containsAll(commits);
        if (!(handles.isEmpty() && commits.isEmpty()) && !checkedLast) {
            transaction.registerSynchronization(new ReactiveCommitVeto(handles, commits, end));
        }
    }

    @Override
    public Mono<Void> beforeCommit(boolean readOnly) {
        return readOnly
                ? Mono.empty()
                : Flux.fromIterable(commits)
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
