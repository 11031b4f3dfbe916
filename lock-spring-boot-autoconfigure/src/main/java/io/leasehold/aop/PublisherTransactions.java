package io.leasehold.aop;

import io.leasehold.LockHandle;
import java.util.List;
import org.springframework.util.ClassUtils;
import reactor.util.context.ContextView;

/** The locks that end with the transaction of a Reactor context. */
interface PublisherTransactions {

    /** Where there are no transactions. */
    PublisherTransactions NONE = new PublisherTransactions() {

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
     * @return false if no transaction is active, so that nothing was taken over
     */
    boolean takeOver(ContextView context, List<LockHandle> handles, boolean veto);

    static PublisherTransactions ofClassPath() {
        return ClassUtils.isPresent(
                        "org.springframework.transaction.reactive.TransactionContext",
                        PublisherTransactions.class.getClassLoader())
                ? new SpringPublisherTransactions()
                : NONE;
    }
}
