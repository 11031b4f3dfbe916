package io.leasehold.aop.reactive;

import io.leasehold.LockHandle;
import java.util.List;
import java.util.Optional;
import org.springframework.transaction.reactive.TransactionContext;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;
import reactor.util.context.ContextView;

/** The locks that end with the transaction of a Reactor context. */
interface ReactiveTransactionBinding {

    /** The binding if there are no transactions. */
    ReactiveTransactionBinding NONE = new ReactiveTransactionBinding() {

        @Override
        public List<LockHandle> kept(ContextView context) {
            return List.of();
        }

        @Override
        public boolean takeOver(ContextView context, List<LockHandle> handles, boolean veto) {
            return false;
        }
    };

    /** The locks that the transaction of the context keeps. */
    List<LockHandle> kept(ContextView context);

    /**
     * Leaves the release of some locks to the transaction that is active in the context.
     *
     * @param veto whether the transaction must not commit if one of them is lost
     * @return false if no transaction is active; the locks were then not taken over
     */
    boolean takeOver(ContextView context, List<LockHandle> handles, boolean veto);

    static ReactiveTransactionBinding ofClassPath() {
        return ClassUtils.isPresent(
                        "org.springframework.transaction.reactive.TransactionContext",
                        ReactiveTransactionBinding.class.getClassLoader())
                ? new SpringTransactions()
                : NONE;
    }

    /** Binds locks to the transaction that Spring keeps in a Reactor context. */
    static final class SpringTransactions implements ReactiveTransactionBinding {

        @Override
        public List<LockHandle> kept(ContextView context) {
            return transaction(context)
                    .map(ReactiveLockTransactionSynchronization::kept)
                    .orElse(List.of());
        }

        @Override
        public boolean takeOver(ContextView context, List<LockHandle> handles, boolean veto) {
            Optional<TransactionSynchronizationManager> active =
                    transaction(context).filter(TransactionSynchronizationManager::isActualTransactionActive);
            active.ifPresent(
                    transaction -> new ReactiveLockTransactionSynchronization(handles, veto).bind(transaction));
            return active.isPresent();
        }

        /** The transaction of a context, if there is one that supports synchronizations. */
        static Optional<TransactionSynchronizationManager> transaction(ContextView context) {
            return context.<TransactionContext>getOrEmpty(TransactionContext.class)
                    .map(TransactionSynchronizationManager::new)
                    .filter(TransactionSynchronizationManager::isSynchronizationActive);
        }
    }
}
