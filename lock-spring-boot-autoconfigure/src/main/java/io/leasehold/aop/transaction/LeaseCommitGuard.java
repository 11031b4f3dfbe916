package io.leasehold.aop.transaction;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.aop.invocation.LockLosses;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Verifies before each commit that all locks held by the transaction are still valid, for every transaction manager of
 * the application and of its parent contexts. Loaded only if Spring's transactions are on the class path.
 */
public final class LeaseCommitGuard implements BeanPostProcessor, BeanFactoryAware {

    /** One for all contexts: a parent keeps it when its child is gone. */
    private static final BeanPostProcessor GUARD = new BeanPostProcessor() {
        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            guard(bean);
            return bean;
        }
    };

    private static final HeldCheck CHECK = new HeldCheck();

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        for (ConfigurableListableBeanFactory ancestor : Ancestors.of(beanFactory)) {
            ancestor.addBeanPostProcessor(GUARD);
            Ancestors.existing(ancestor, ConfigurableTransactionManager.class).forEach(LeaseCommitGuard::guard);
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        guard(bean);
        return bean;
    }

    private static void guard(Object bean) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            List<TransactionExecutionListener> listeners = new ArrayList<>(manager.getTransactionExecutionListeners());
            if (!listeners.contains(CHECK)) {
                listeners.add(CHECK);
                manager.setTransactionExecutionListeners(listeners);
            }
        }
    }

    /**
     * Checks, immediately before the commit of a transaction that was begun under a lock, whether the lock is still
     * held. If it is lost, a {@link io.leasehold.LockLostException} prevents the commit and the transaction rolls back.
     *
     * <p>It knows the locks of the committing thread, and therefore checks only transactions that are bound to a
     * thread. The {@code ReactiveCommitGuard} checks reactive ones.
     *
     * <p>A read-only transaction commits, since it has no changes to roll back. A transaction that is marked for
     * rollback is not checked.
     */
    private static final class HeldCheck implements TransactionExecutionListener {

        @Override
        public void beforeCommit(TransactionExecution transaction) {
            if (transaction.isReadOnly()) {
                return;
            }
            List<LockHandle> handles = LockContext.allOwn();
            LockLosses.requireNone(handles.stream()
                    .filter(handle -> !LockLosses.Tolerated.contains(handle))
                    .toList());
            // again, because other synchronizations may have taken long, or acquired locks, after that of these locks
            if (TransactionSynchronizationManager.isSynchronizationActive()) {
                TransactionSynchronizationManager.getSynchronizations().forEach(SpringTransactionBinding::requireHeld);
            }
        }
    }
}
