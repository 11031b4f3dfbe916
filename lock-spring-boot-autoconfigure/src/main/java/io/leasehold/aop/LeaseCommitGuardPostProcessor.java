package io.leasehold.aop;

import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Makes every transaction manager of the application ask, before it commits, whether the locks under which the
 * transaction ran are still held. Loaded only where Spring's transactions are on the class path.
 */
public final class LeaseCommitGuardPostProcessor implements BeanPostProcessor {

    private final LeaseCommitGuard guard = new LeaseCommitGuard();

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
}
