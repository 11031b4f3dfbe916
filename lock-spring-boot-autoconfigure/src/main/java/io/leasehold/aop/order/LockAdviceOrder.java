package io.leasehold.aop.order;

import io.leasehold.aop.DistributedLockAdvisor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.aspectj.AbstractAspectJAdvice;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.cache.interceptor.BeanFactoryCacheOperationSourceAdvisor;
import org.springframework.cache.interceptor.CacheInterceptor;
import org.springframework.cache.interceptor.CacheOperation;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.cache.interceptor.CacheableOperation;
import org.springframework.core.Ordered;

/**
 * Applies advice outside of the lock that should not occupy it, in the proxies of beans with locked methods. An order
 * number cannot express this, because these advisors have about the same order as those of transactions, or none.
 *
 * <ul>
 *   <li>Spring Retry and Resilience4j move outside of the lock: each attempt acquires the lock anew, and neither a
 *       pause between attempts nor an open circuit breaker occupies it.
 *   <li>Validation is applied a second time, outside of the lock: invalid arguments acquire no lock. It also stays
 *       where it was, so that an invalid result still rolls a transaction back.
 *   <li>{@code @Cacheable} is applied a second time, outside of the lock, where it only reads: a hit acquires no lock.
 *       A caller that has waited for the lock reads the cache again before it computes the value, and puts the value
 *       into the cache under the lock.
 * </ul>
 *
 * <p>Advisors with an order of their own are not changed, and nothing is if the lock has another order than
 * {@link DistributedLockAdvisor#DEFAULT_ORDER}. Post-processors that add advice to a proxy have an order; this one has
 * none and therefore runs after them.
 */
public final class LockAdviceOrder implements SmartInstantiationAwareBeanPostProcessor {

    /** The default of {@code @EnableRetry}. */
    private static final int RETRY_ORDER = Ordered.LOWEST_PRECEDENCE - 1;

    private final BeanFactory beans;

    /**
     * Creates the post-processor.
     *
     * @param beans has the beans that cache operations name
     */
    public LockAdviceOrder(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public Object getEarlyBeanReference(Object bean, String beanName) {
        return postProcessAfterInitialization(bean, beanName);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Object next = bean;
        while (next instanceof Advised proxy) {
            if (!proxy.isFrozen()) {
                arrange(proxy);
            }
            next = AopProxyUtils.getSingletonTarget(proxy);
        }
        return bean;
    }

    private void arrange(Advised proxy) {
        Advisor[] advisors = proxy.getAdvisors();
        int lock = indexOfLock(advisors);
        if (lock < 0 || isArranged(advisors, lock)) {
            return;
        }
        List<Advisor> outside = new ArrayList<>();
        List<Integer> moved = new ArrayList<>();
        for (int i = lock + 1; i < advisors.length; i++) {
            if (isRetry(advisors[i]) || isResilience(advisors[i])) {
                outside.add(advisors[i]);
                moved.add(0, i);
            } else if (isValidation(advisors[i])) {
                outside.add(0, advisors[i]);
            } else if (advisors[i] instanceof BeanFactoryCacheOperationSourceAdvisor cache
                    && hasNoOrder(cache)
                    && cache.getAdvice() instanceof CacheInterceptor interceptor) {
                outside.add(new CacheHitAdvisor(new CacheLookup(interceptor, beans)));
            }
        }
        moved.forEach(index -> proxy.removeAdvisor((int) index));
        for (int i = 0; i < outside.size(); i++) {
            proxy.addAdvisor(lock + i, outside.get(i));
        }
    }

    /** The proxy behind that of another bean was arranged for its own bean. */
    private static boolean isArranged(Advisor[] advisors, int lock) {
        List<Advisor> inside = Arrays.asList(advisors).subList(lock, advisors.length);
        return Arrays.stream(advisors, 0, lock)
                .anyMatch(advisor -> advisor instanceof CacheHitAdvisor || inside.contains(advisor));
    }

    /** The index of the lock's advisor, or -1 if there is none or the application has set its order. */
    private static int indexOfLock(Advisor[] advisors) {
        return Arrays.stream(advisors)
                .filter(advisor -> advisor instanceof DistributedLockAdvisor lock
                        && lock.getOrder() == DistributedLockAdvisor.DEFAULT_ORDER)
                .findFirst()
                .map(Arrays.asList(advisors)::indexOf)
                .orElse(-1);
    }

    private static boolean isRetry(Advisor advisor) {
        return isIn("org.springframework.retry.", advisor.getClass())
                && advisor instanceof Ordered ordered
                && ordered.getOrder() >= RETRY_ORDER;
    }

    /** The orders of these aspects are close to the lowest precedence, unless they are configured. */
    private static boolean isResilience(Advisor advisor) {
        return isIn("org.springframework.aop.aspectj.", advisor.getClass())
                && Resilience4j.declares(advisor.getAdvice());
    }

    private static boolean isValidation(Advisor advisor) {
        if (advisor.getClass() != DefaultPointcutAdvisor.class) {
            return false;
        }
        Class<?> type = advisor.getAdvice().getClass();
        while (type != null
                && !type.getName()
                        .equals("org.springframework.validation.beanvalidation.MethodValidationInterceptor")) {
            type = type.getSuperclass();
        }
        return type != null;
    }

    private static boolean hasNoOrder(Advisor advisor) {
        return !(advisor instanceof Ordered ordered) || ordered.getOrder() == Ordered.LOWEST_PRECEDENCE;
    }

    private static boolean isIn(String packageName, @Nullable Class<?> type) {
        return type != null && type.getName().startsWith(packageName);
    }

    /** Only used if an advisor of an aspect was found, because AspectJ is optional. */
    private static final class Resilience4j {

        static boolean declares(Advice advice) {
            return advice instanceof AbstractAspectJAdvice aspect
                    && isIn(
                            "io.github.resilience4j.",
                            aspect.getAspectJAdviceMethod().getDeclaringClass());
        }
    }

    /**
     * Reads the cache before the lock. Only for methods that have nothing but {@code @Cacheable}: an eviction or an
     * update of the cache belongs inside of the lock, because the next holder could otherwise read the former value.
     *
     * <p>{@code sync = true} is excluded. The cache locks its entry while it computes the value, and would wait for
     * itself if it was asked again within.
     */
    private static final class CacheHitAdvisor extends StaticMethodMatcherPointcutAdvisor {

        private static final long serialVersionUID = 1L;

        private final CacheLookup lookup;

        CacheHitAdvisor(CacheLookup lookup) {
            super(lookup);
            this.lookup = lookup;
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            CacheOperationSource source = lookup.getCacheOperationSource();
            Collection<CacheOperation> operations =
                    source == null ? null : source.getCacheOperations(method, targetClass);
            return operations != null
                    && !operations.isEmpty()
                    && operations.stream()
                            .allMatch(one -> one instanceof CacheableOperation cacheable && !cacheable.isSync());
        }
    }

    /**
     * Reads the caches of another interceptor, and puts nothing into them. Outside of the lock, the result may be that
     * of a call that did not get the lock, and the next holder may have evicted the value meanwhile.
     */
    private static final class CacheLookup extends CacheInterceptor {

        private static final long serialVersionUID = 1L;

        private final CacheInterceptor cache;

        CacheLookup(CacheInterceptor cache, BeanFactory beans) {
            this.cache = cache;
            configure(
                    cache::getErrorHandler,
                    cache::getKeyGenerator,
                    () -> context ->
                            Objects.requireNonNull(cache.getCacheResolver()).resolveCaches(context),
                    null);
            setCacheOperationSource(cache.getCacheOperationSource());
            setBeanFactory(beans);
            afterSingletonsInstantiated();
        }

        /** Proceeds during the start of the application, when the other interceptor has no caches yet. */
        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            return cache.getCacheResolver() == null ? invocation.proceed() : super.invoke(invocation);
        }

        @Override
        protected CacheOperationContext getOperationContext(
                CacheOperation operation, Method method, @Nullable Object[] args, Object target, Class<?> type) {
            return new CacheOperationContext(getCacheOperationMetadata(operation, method, type), args, target) {

                // refused here and not earlier: the put request stays a subscriber of a Flux, so that a caller that
                // cancels it does not end the lock before the value is cached inside
                @Override
                protected boolean canPutToCache(@Nullable Object value) {
                    return false;
                }
            };
        }
    }
}
