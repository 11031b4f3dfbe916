package io.leasehold.aop;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * Puts the look at the locks into reactive transactions: those of {@code @Transactional} methods that return a {@code Mono}
 * or a {@code Flux}, and those of operators that are beans. Loaded only where Spring's transactions and Reactor are on the
 * class path.
 *
 * <p>Comes before the creators of proxies, with which the interceptor is made.
 */
public final class PublisherCommitGuardPostProcessor implements BeanPostProcessor, PriorityOrdered {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof TransactionInterceptor interceptor) {
            return new GuardedTransactionInterceptor(interceptor);
        }
        return bean instanceof TransactionalOperator operator ? new GuardedTransactionalOperator(operator) : bean;
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}
