package io.leasehold.aop;

import io.leasehold.aop.spec.LockAnnotations;
import io.leasehold.aop.spec.LockSpecs;
import java.lang.reflect.Method;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractBeanFactoryPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.Ordered;

/**
 * The door to {@link DistributedLockAspect} for Spring's proxies: matches every method for which a
 * {@code @DistributedLock} holds, also one on an interface, on a class or behind an annotation of the application's
 * own.
 *
 * <p>To be declared as an infrastructure bean. It asks the bean factory for the aspect when the first annotated bean is
 * made, so that lockers and what they need are not created before that.
 */
public final class DistributedLockAdvisor extends AbstractBeanFactoryPointcutAdvisor {

    /**
     * The order of the lock among other advice, unless configured: just outside of transactions and caches, inside of
     * retries and asynchronous execution.
     */
    public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    private static final long serialVersionUID = 1L;

    private static final Pointcut POINTCUT = new AnnotatedMethods();

    /**
     * Creates the advisor.
     *
     * @param aspectBeanName the name of the bean of type {@link DistributedLockAspect}
     * @param order the order among other advice; a lower value is further outside
     */
    public DistributedLockAdvisor(String aspectBeanName, int order) {
        setAdviceBeanName(aspectBeanName);
        setOrder(order);
    }

    @Override
    public Pointcut getPointcut() {
        return POINTCUT;
    }

    private static final class AnnotatedMethods extends StaticMethodMatcherPointcut {

        AnnotatedMethods() {
            setClassFilter(LockAnnotations::isCandidate);
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return LockSpecs.declares(method, targetClass);
        }
    }
}
