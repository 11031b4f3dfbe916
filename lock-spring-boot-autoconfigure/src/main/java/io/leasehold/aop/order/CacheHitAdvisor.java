package io.leasehold.aop.order;

import java.lang.reflect.Method;
import java.util.Collection;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.cache.interceptor.BeanFactoryCacheOperationSourceAdvisor;
import org.springframework.cache.interceptor.CacheInterceptor;
import org.springframework.cache.interceptor.CacheOperation;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.cache.interceptor.CacheableOperation;

/**
 * Reads the cache before the lock. Only for methods that have nothing but {@code @Cacheable}: an eviction or an update
 * of the cache belongs inside of the lock, because the next holder could otherwise read the former value.
 *
 * <p>{@code sync = true} is excluded. The cache locks its entry while it computes the value, and would wait for itself
 * if it was asked again within.
 */
final class CacheHitAdvisor extends StaticMethodMatcherPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    CacheHitAdvisor(BeanFactoryCacheOperationSourceAdvisor cache) {
        super(cache.getAdvice());
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        CacheOperationSource source = source(getAdvice());
        Collection<CacheOperation> operations = source == null ? null : source.getCacheOperations(method, targetClass);
        return operations != null
                && !operations.isEmpty()
                && operations.stream()
                        .allMatch(one -> one instanceof CacheableOperation cacheable && !cacheable.isSync());
    }

    private static @Nullable CacheOperationSource source(Advice advice) {
        return advice instanceof CacheInterceptor interceptor ? interceptor.getCacheOperationSource() : null;
    }
}
