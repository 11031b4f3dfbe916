package io.leasehold.aop;

import io.leasehold.aop.spec.LockAnnotations;
import io.leasehold.aop.spec.LockSpecs;
import java.lang.reflect.Method;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractBeanFactoryPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.Ordered;

/**
 * Applies {@link DistributedLockAspect} through Spring's proxies. Matches every method to which a
 * {@code @DistributedLock} applies, including one on an interface, on a class or on a composed annotation.
 *
 * <p>Declare it as an infrastructure bean. It gets the aspect from the bean factory when the first annotated bean is
 * created, so that lockers and their dependencies are not created earlier.
 */
public final class DistributedLockAdvisor extends AbstractBeanFactoryPointcutAdvisor {

    /**
     * The order of the lock among other advice, unless configured: just outside of transactions and caches, inside of
     * retries and asynchronous execution. {@code LockAdviceOrder} arranges the advice that an order cannot place.
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
