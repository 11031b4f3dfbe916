package io.leasehold.aop.validation;

import io.leasehold.aop.DistributedLockAdvisor;
import io.leasehold.aop.spec.LockSpec;
import io.leasehold.aop.spec.MethodDescriptions;
import java.lang.reflect.Method;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.core.Ordered;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/**
 * Warns of a lock that is acquired inside the method's own transaction, and is therefore released before the commit.
 */
final class TransactionOrderCheck {

    private static final Logger LOGGER = LoggerFactory.getLogger(TransactionOrderCheck.class);

    private TransactionOrderCheck() {}

    static void warn(String beanName, Advised proxy, Collection<LockSpec> specs) {
        Advisor outer = null;
        for (Advisor advisor : proxy.getAdvisors()) {
            if (advisor instanceof DistributedLockAdvisor lock) {
                if (outer != null) {
                    warn(beanName, lock, outer, specs);
                }
                return;
            }
            if (advisor.getAdvice() instanceof TransactionInterceptor) {
                outer = advisor;
            }
        }
    }

    private static void warn(
            String beanName, DistributedLockAdvisor lock, Advisor transactions, Collection<LockSpec> specs) {
        for (LockSpec spec : specs) {
            if (covers(transactions, spec.method())) {
                LOGGER.warn(
                        "The lock of {} (bean '{}') is taken inside of the method's own transaction: a transaction that"
                                + " has read before it waited for the lock may decide on old data. Set"
                                + " 'lock.aspect.order' (now {}) to less than the order of @EnableTransactionManagement"
                                + " (now {})",
                        MethodDescriptions.describe(spec.method()),
                        beanName,
                        lock.getOrder(),
                        transactions instanceof Ordered ordered ? ordered.getOrder() : "not set");
            }
        }
    }

    private static boolean covers(Advisor transactions, Method method) {
        return transactions instanceof PointcutAdvisor pointcut
                && pointcut.getPointcut().getMethodMatcher().matches(method, method.getDeclaringClass());
    }
}
