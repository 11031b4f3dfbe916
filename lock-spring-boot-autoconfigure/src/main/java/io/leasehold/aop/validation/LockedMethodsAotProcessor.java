package io.leasehold.aop.validation;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.spec.LockAnnotations;
import io.leasehold.aop.spec.LockKeyRoot;
import io.leasehold.aop.spec.LockKeyTypes;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.util.ReflectionUtils;

/**
 * Registers reflection hints for native images: the fallback methods of locked methods, and the types whose properties
 * a key expression reads.
 */
final class LockedMethodsAotProcessor implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = typeOf(bean);
        Map<Method, DistributedLock> methods = LockAnnotations.isCandidate(type) ? lockedMethods(type) : Map.of();
        return methods.isEmpty()
                ? null
                : (generation, code) ->
                        methods.forEach((method, lock) -> register(generation.getRuntimeHints(), type, method, lock));
    }

    /** The type of the product for the bean of a factory, such as the interface of a repository. */
    private static Class<?> typeOf(RegisteredBean bean) {
        Class<?> type = bean.getBeanClass();
        if (bean.isInnerBean() || !FactoryBean.class.isAssignableFrom(type)) {
            return type;
        }
        Class<?> product = bean.getBeanFactory().getType(bean.getBeanName(), false);
        return product == null ? type : product;
    }

    private static Map<Method, DistributedLock> lockedMethods(Class<?> type) {
        MetadataLookup<DistributedLock> lookup = method -> LockAnnotations.find(method, type)
                .map(annotation -> annotation.synthesize())
                .orElse(null);
        return MethodIntrospector.selectMethods(type, lookup);
    }

    private static void register(RuntimeHints hints, Class<?> type, Method method, DistributedLock lock) {
        ReflectionHints reflection = hints.reflection();
        hints.proxies().registerJdkProxy(DistributedLock.class);
        reflection.registerType(LockKeyRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        LockKeyTypes.of(lock.key(), method, type)
                .forEach(read -> reflection.registerType(
                        read, MemberCategory.INVOKE_PUBLIC_METHODS, MemberCategory.ACCESS_PUBLIC_FIELDS));
        Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
                .filter(candidate -> candidate.getName().equals(lock.fallbackMethod()))
                .forEach(candidate -> reflection.registerMethod(candidate, ExecutableMode.INVOKE));
    }
}
