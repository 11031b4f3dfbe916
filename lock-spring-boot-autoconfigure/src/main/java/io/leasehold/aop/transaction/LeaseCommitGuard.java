package io.leasehold.aop.transaction;

import io.leasehold.LockContext;
import io.leasehold.aop.invocation.LockLosses;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Verifies before each commit that all locks held by the transaction are still valid, for every transaction manager of
 * the application and of its parent contexts, also for one that only an interceptor or a template has. Loaded only if
 * Spring's transactions are on the class path.
 *
 * <p>Runs before the auto-proxy creators, which cause the creation of a manager that an advisor uses. Managers and
 * interceptors that exist earlier are guarded when all singletons exist, templates only when they are created.
 */
public final class LeaseCommitGuard
        implements BeanPostProcessor, BeanFactoryAware, PriorityOrdered, SmartInitializingSingleton {

    private static final Logger LOGGER = LoggerFactory.getLogger(LeaseCommitGuard.class);

    /** One for all contexts: a parent keeps it when its child is gone. */
    private static final BeanPostProcessor GUARD = new BeanPostProcessor() {
        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            guard(bean);
            return bean;
        }
    };

    private static final HeldCheck CHECK = new HeldCheck();

    /** Not the templates, which are often mocks of a test: a call of its own would be one too many for the test. */
    private static final List<Class<?>> GUARDED =
            List.of(ConfigurableTransactionManager.class, TransactionAspectSupport.class);

    private @Nullable ConfigurableListableBeanFactory beans;

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        beans = beanFactory instanceof ConfigurableListableBeanFactory listable ? listable : null;
        for (ConfigurableListableBeanFactory ancestor : Ancestors.of(beanFactory)) {
            ancestor.addBeanPostProcessor(GUARD);
            guardExisting(ancestor);
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (beans != null) {
            guardExisting(beans);
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        guard(bean);
        if (target(bean) instanceof PlatformTransactionManager manager
                && !(manager instanceof ConfigurableTransactionManager)) {
            LOGGER.warn(
                    "Transactions of bean '{}' ({}) commit even if a lock was lost, because the bean is no"
                            + " ConfigurableTransactionManager. If it passes its calls on, make the manager behind it a"
                            + " bean as well",
                    beanName,
                    manager.getClass().getName());
        }
        return bean;
    }

    private static void guardExisting(ConfigurableListableBeanFactory beanFactory) {
        for (Class<?> type : GUARDED) {
            Ancestors.existing(beanFactory, type).forEach(LeaseCommitGuard::guard);
        }
    }

    /** Guards a manager, or the one that an interceptor, an aspect or a template uses, which need not be a bean. */
    private static void guard(Object bean) {
        Object target = target(bean);
        if (target instanceof TransactionAspectSupport aspect) {
            target = target(aspect.getTransactionManager());
        } else if (target instanceof TransactionTemplate template) {
            target = target(template.getTransactionManager());
        }
        if (target instanceof ConfigurableTransactionManager manager) {
            List<TransactionExecutionListener> listeners = new ArrayList<>(manager.getTransactionExecutionListeners());
            if (!listeners.contains(CHECK)) {
                listeners.add(CHECK);
                manager.setTransactionExecutionListeners(listeners);
            }
        }
    }

    /**
     * The object behind proxies, because a final method of a proxy by class does not reach it. {@code null} if the
     * proxy looks it up for each call, as that of a scoped bean. It is then a bean itself, which is created later.
     */
    private static @Nullable Object target(@Nullable Object bean) {
        Object target = bean;
        while (target instanceof Advised) {
            target = AopProxyUtils.getSingletonTarget(target);
        }
        return target;
    }

    /**
     * Checks, immediately before the commit of a transaction that was begun under a lock, whether the lock is still
     * held. If it is lost, a {@link io.leasehold.LockLostException} prevents the commit and the transaction rolls back.
     * What a transaction of JPA has not written yet is written before the check.
     *
     * <p>It knows the locks of the committing thread, and therefore checks only transactions that are bound to a
     * thread. The {@code ReactiveCommitGuard} checks reactive ones.
     *
     * <p>A read-only transaction commits, since it has no changes to roll back. A transaction that is marked for
     * rollback is not checked.
     */
    private static final class HeldCheck implements TransactionExecutionListener {

        private static final String JPA = "org.springframework.orm.jpa.";

        @Override
        public void beforeCommit(TransactionExecution transaction) {
            if (transaction.isReadOnly()) {
                return;
            }
            List<TransactionSynchronization> checks = checks();
            if (checks.isEmpty() && LockContext.allOwn().isEmpty()) {
                return;
            }
            if (transaction instanceof DefaultTransactionStatus status && isOfJpa(status)) {
                // JPA writes as a part of its commit, and may wait for rows of other transactions
                status.flush();
            }
            LockLosses.requireConfirmed(LockContext.allOwn());
            // again, because other synchronizations may have taken long, or acquired locks, after that of these locks
            checks.forEach(check -> check.beforeCommit(false));
        }

        /**
         * Whether a transaction has an open session of its own. Those of other managers would flush the sessions that are
         * synchronized with them, which are closed at this point. The types are not visible, and may be missing.
         */
        private static boolean isOfJpa(DefaultTransactionStatus status) {
            return status.hasTransaction()
                    && status.getTransaction().getClass().getName().startsWith(JPA);
        }

        private static List<TransactionSynchronization> checks() {
            return TransactionSynchronizationManager.isSynchronizationActive()
                    ? TransactionSynchronizationManager.getSynchronizations().stream()
                            .filter(SpringTransactionBinding::checksLocks)
                            .toList()
                    : List.of();
        }
    }
}
