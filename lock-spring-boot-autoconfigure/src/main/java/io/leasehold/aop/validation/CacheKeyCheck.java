package io.leasehold.aop.validation;

import io.leasehold.aop.spec.LockDeclarationException;
import io.leasehold.aop.spec.LockSpec;
import java.util.Collection;
import java.util.List;
import org.springframework.aop.Advisor;
import org.springframework.cache.interceptor.BeanFactoryCacheOperationSourceAdvisor;
import org.springframework.cache.interceptor.CacheEvictOperation;
import org.springframework.cache.interceptor.CacheInterceptor;
import org.springframework.cache.interceptor.CacheOperation;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.cache.interceptor.SimpleKeyGenerator;

/**
 * Rejects cache operations whose key would contain the handle of the lock. A cache inside of the lock sees the arguments
 * with the handle, which differs in each call, so that no call would find the value of another one.
 */
final class CacheKeyCheck {

    private CacheKeyCheck() {}

    /**
     * Checks one method.
     *
     * @param inside the advice inside of the lock
     * @param type the class of the bean
     */
    static void requireKeyWithoutHandle(List<Advisor> inside, LockSpec spec, Class<?> type) {
        if (spec.handles().isEmpty()) {
            return;
        }
        for (Advisor advisor : inside) {
            if (advisor instanceof BeanFactoryCacheOperationSourceAdvisor
                    && advisor.getAdvice() instanceof CacheInterceptor cache) {
                operations(cache, spec, type).stream()
                        .filter(CacheKeyCheck::hasNoKey)
                        .findFirst()
                        .filter(operation -> hasDefaultGenerator(cache))
                        .ifPresent(operation -> {
                            throw refusal(spec, operation);
                        });
            }
        }
    }

    private static Collection<CacheOperation> operations(CacheInterceptor cache, LockSpec spec, Class<?> type) {
        CacheOperationSource source = cache.getCacheOperationSource();
        Collection<CacheOperation> operations = source == null ? null : source.getCacheOperations(spec.method(), type);
        return operations == null ? List.of() : operations;
    }

    /** Whether the generator of the cache makes the key. An eviction of all entries needs none. */
    private static boolean hasNoKey(CacheOperation operation) {
        return operation.getKey().isEmpty()
                && operation.getKeyGenerator().isEmpty()
                && !(operation instanceof CacheEvictOperation eviction && eviction.isCacheWide());
    }

    /** One of the application may leave the handle out. */
    private static boolean hasDefaultGenerator(CacheInterceptor cache) {
        return cache.getKeyGenerator().getClass() == SimpleKeyGenerator.class;
    }

    private static LockDeclarationException refusal(LockSpec spec, CacheOperation operation) {
        return LockDeclarationException.invalidCacheKey(
                spec.method(),
                "its operation on the cache '" + String.join("', '", operation.getCacheNames())
                        + "' has no key, so that the key consists of all arguments with the LockHandle, and no call"
                        + " finds the entry of another one",
                "Give the cache operation a key, such as key = \"#id\"");
    }
}
