package io.leasehold.aop.validation;

import io.leasehold.aop.spec.LockAnnotations;
import io.leasehold.aop.spec.LockDeclarationException;
import io.leasehold.aop.spec.LockSpecs;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Comparator;
import java.util.Set;
import java.util.function.Predicate;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Refuses every bean with an annotated method. It takes the place of {@link DistributedLockValidator} in an application
 * context in which nothing intercepts such methods, so that they would run without their locks.
 */
public final class UninterceptedMethodCheck implements BeanPostProcessor {

    private final Predicate<Method> unintercepted;

    private final String problem;

    private final String nextStep;

    /**
     * Creates the check.
     *
     * @param problem why no method is intercepted
     * @param nextStep what the user can do
     */
    public UninterceptedMethodCheck(String problem, String nextStep) {
        this(method -> true, problem, nextStep);
    }

    private UninterceptedMethodCheck(Predicate<Method> unintercepted, String problem, String nextStep) {
        this.unintercepted = unintercepted;
        this.problem = problem;
        this.nextStep = nextStep;
    }

    /**
     * Creates a check that accepts the methods that AspectJ has woven for their locks.
     *
     * @param problem why no other method is intercepted
     * @param nextStep what the user can do
     */
    public static UninterceptedMethodCheck ofWeaving(String problem, String nextStep) {
        return new UninterceptedMethodCheck(method -> !ProxyCheck.isLockedByWeaver(method), problem, nextStep);
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (!TestDoubles.isMock(bean)) {
            requireNone(ClassUtils.getUserClass(bean), beanName);
        }
        return bean;
    }

    /** Refuses a bean with an annotated method. */
    public void requireNone(Class<?> type, String beanName) {
        if (LockAnnotations.isCandidate(type)) {
            annotatedMethods(type).stream()
                    .filter(unintercepted)
                    .min(Comparator.comparing(Method::toString))
                    .ifPresent(method -> {
                        throw LockDeclarationException.notInterceptable(method, problem, nextStep)
                                .inBean(beanName);
                    });
        }
    }

    /** Refuses a bean with an annotated method among those of a bean factory, as far as their classes are known. */
    public void requireNone(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanDefinitionNames()) {
            if (beans.getMergedBeanDefinition(name).isAbstract()) {
                continue;
            }
            Object existing = beans.getSingleton(name);
            Class<?> type = existing != null && AopUtils.isAopProxy(existing)
                    ? typeBehind(existing)
                    : beans.getType(name, false);
            if (type != null && (existing == null || !TestDoubles.isMock(existing))) {
                requireNone(type, name);
            }
        }
    }

    /** The class behind a proxy, or a proxy of the JDK if only its interfaces have annotated methods. */
    private static Class<?> typeBehind(Object proxy) {
        Class<?> target = AopProxyUtils.ultimateTargetClass(proxy);
        return Proxy.isProxyClass(proxy.getClass()) && annotatedMethods(target).isEmpty() ? proxy.getClass() : target;
    }

    private static Set<Method> annotatedMethods(Class<?> type) {
        MethodFilter annotated = method -> LockSpecs.declares(method, type);
        try {
            return MethodIntrospector.selectMethods(type, annotated);
        } catch (IllegalStateException | LinkageError ex) {
            return Set.of();
        }
    }
}
