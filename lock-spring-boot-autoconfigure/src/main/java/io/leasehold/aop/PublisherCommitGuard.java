package io.leasehold.aop;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Has a reactive transaction look, just before it commits, whether the locks under which it runs are still held. Spring's
 * listeners are not told the Reactor context, in which the locks are; so what runs inside the transaction is wrapped, and
 * registers the look when it ends, behind whatever it has registered itself.
 */
final class PublisherCommitGuard {

    private final List<LockHandle> ofThread;

    private PublisherCommitGuard(List<LockHandle> ofThread) {
        this.ofThread = ofThread;
    }

    /** A guard that knows the locks of the calling thread, besides those that it will find in the Reactor context. */
    static PublisherCommitGuard ofThread() {
        return new PublisherCommitGuard(LockContext.all().stream()
                .filter(handle -> !ToleratedLosses.contains(handle))
                .toList());
    }

    <T> Mono<T> guard(Mono<T> body) {
        return Mono.deferContextual(context -> body.doOnTerminate(() -> register(context)));
    }

    <T> Flux<T> guard(Flux<T> body) {
        return Flux.deferContextual(context -> body.doOnTerminate(() -> register(context)));
    }

    private void register(ContextView context) {
        Set<LockHandle> handles = new LinkedHashSet<>(ContextLocks.of(context).vetoing());
        handles.addAll(ofThread);
        if (!handles.isEmpty()) {
            LostLeaseVeto veto = new LostLeaseVeto(List.copyOf(handles));
            SpringPublisherTransactions.transaction(context)
                    .filter(transaction -> !transaction.getSynchronizations().contains(veto))
                    .ifPresent(transaction -> transaction.registerSynchronization(veto));
        }
    }
}
