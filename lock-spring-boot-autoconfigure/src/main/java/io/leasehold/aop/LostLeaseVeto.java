package io.leasehold.aop;

import io.leasehold.LockHandle;
import java.util.List;
import org.springframework.transaction.reactive.TransactionSynchronization;
import reactor.core.publisher.Mono;

/**
 * Stops the commit of a reactive transaction if a lock under which it ran is lost. A transaction that only reads commits:
 * there is nothing to undo.
 */
record LostLeaseVeto(List<LockHandle> handles) implements TransactionSynchronization {

    @Override
    public Mono<Void> beforeCommit(boolean readOnly) {
        return readOnly ? Mono.empty() : Mono.fromRunnable(() -> Losses.requireNone(handles));
    }
}
