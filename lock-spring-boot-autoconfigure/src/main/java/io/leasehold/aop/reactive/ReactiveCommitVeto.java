package io.leasehold.aop.reactive;

import io.leasehold.LockHandle;
import io.leasehold.aop.invocation.LockLosses;
import java.util.List;
import org.springframework.transaction.reactive.TransactionSynchronization;
import reactor.core.publisher.Mono;

/**
 * Prevents the commit of a reactive transaction if a lock under which it ran is lost. A read-only transaction commits,
 * since it has no changes to roll back.
 */
record ReactiveCommitVeto(List<LockHandle> handles) implements TransactionSynchronization {

    @Override
    public Mono<Void> beforeCommit(boolean readOnly) {
        return readOnly ? Mono.empty() : Mono.fromRunnable(() -> LockLosses.requireNone(handles));
    }
}
