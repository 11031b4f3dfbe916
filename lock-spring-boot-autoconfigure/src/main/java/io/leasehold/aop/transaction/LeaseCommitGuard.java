package io.leasehold.aop.transaction;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.aop.invocation.LockLosses;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Makes every transaction manager of the application ask, before it commits, whether the locks under which the
 * transaction ran are still held. Loaded only where Spring's transactions are on the class path.
 */
public final class LeaseCommitGuard implements BeanPostProcessor {

    private final HeldCheck guard = new HeldCheck();

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            List<TransactionExecutionListener> listeners = new ArrayList<>(manager.getTransactionExecutionListeners());
            if (!listeners.contains(guard)) {
                listeners.add(guard);
                manager.setTransactionExecutionListeners(listeners);
            }
        }
        return bean;
    }

    /**
     * Looks, just before a transaction that was begun under a lock commits, whether the lock is still held. If it is lost,
     * {@link io.leasehold.LockLostException} stops the commit and the transaction rolls back.
     *
     * <p>Knows the locks of the thread that commits, so it looks at transactions that are bound to a thread; reactive ones have
     * the {@code ReactiveCommitGuard}.
     *
     * <p>A transaction that only reads commits: there is nothing to undo. One that is marked for rollback never gets here.
     */
    private static final class HeldCheck implements TransactionExecutionListener {

        @Override
        public void beforeCommit(TransactionExecution transaction) {
            if (transaction.isReadOnly()) {
                return;
            }
            List<LockHandle> handles = LockContext.all();
            LockLosses.requireNone(handles.stream()
                    .filter(handle -> !LockLosses.Tolerated.contains(handle))
                    .toList());
        }
    }
}
