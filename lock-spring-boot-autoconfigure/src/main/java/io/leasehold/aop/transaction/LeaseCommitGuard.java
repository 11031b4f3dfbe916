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

/**
 * Makes every transaction manager of the application, and of its parent contexts, check before it commits that the locks
 * under which the transaction ran are still held. Loaded only where Spring's transactions are on the class path.
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
