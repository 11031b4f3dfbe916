package io.leasehold.aop;

import io.leasehold.LockHandle;
import java.util.List;
import java.util.Optional;
import org.springframework.transaction.reactive.TransactionContext;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.util.context.ContextView;

/** Binds locks to the transaction that Spring keeps in a Reactor context. */
final class SpringPublisherTransactions implements PublisherTransactions {

    @Override
    public List<LockHandle> kept(ContextView context) {
        return transaction(context).map(LockedPublisherTransaction::kept).orElse(List.of());
    }

    @Override
    public boolean takeOver(ContextView context, List<LockHandle> handles, boolean veto) {
        Optional<TransactionSynchronizationManager> active =
                transaction(context).filter(TransactionSynchronizationManager::isActualTransactionActive);
        active.ifPresent(transaction -> new LockedPublisherTransaction(handles, veto).bind(transaction));
        return active.isPresent();
    }

    /** The transaction of a context, if there is one that tells when it ends. */
    static Optional<TransactionSynchronizationManager> transaction(ContextView context) {
        return context.<TransactionContext>getOrEmpty(TransactionContext.class)
                .map(TransactionSynchronizationManager::new)
                .filter(TransactionSynchronizationManager::isSynchronizationActive);
    }
}
