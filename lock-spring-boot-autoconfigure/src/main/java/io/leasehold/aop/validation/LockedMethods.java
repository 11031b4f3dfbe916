package io.leasehold.aop.validation;

import io.leasehold.aop.spec.LockAnnotations;
import io.leasehold.aop.spec.LockDeclarationException;
import io.leasehold.aop.spec.LockSpec;
import io.leasehold.aop.spec.LockSpecs;
import io.leasehold.aop.spec.MethodDescriptions;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The locked methods of a class. Each class is examined once. A class with methods whose types are not on the class
 * path has none, because it cannot be proxied either.
 */
final class LockedMethods {

    private static final Logger LOGGER = LoggerFactory.getLogger(LockedMethods.class);

    private static final List<String> NOT_OF_APPLICATION =
            List.of("java.", "org.springframework.", "kotlin.", "groovy.");

    private final LockSpecs specs;

    private final boolean woven;

    private final Map<Class<?>, Collection<LockSpec>> known = new ConcurrentHashMap<>();

    /**
     * Creates an empty cache.
     *
     * @param specs the specs of the annotated methods
     * @param woven whether calls on the own object of a method are intercepted as well
     */
    LockedMethods(LockSpecs specs, boolean woven) {
        this.specs = specs;
        this.woven = woven;
    }

    /**
     * The class of a bean whose methods may be locked: the class behind its proxies, or the outermost proxy of the JDK if
     * only its interfaces have locked methods, as those of Spring Data's repositories do.
     */
    Class<?> typeOf(Object bean) {
        Class<?> target = AopProxyUtils.ultimateTargetClass(bean);
        return Proxy.isProxyClass(bean.getClass()) && of(target).isEmpty() ? bean.getClass() : target;
    }

    /**
     * The specs of a class, in no particular order.
     *
     * @throws LockDeclarationException if one of the annotations cannot work
     */
    Collection<LockSpec> of(Class<?> beanClass) {
        Class<?> type = ClassUtils.getUserClass(beanClass);
        Collection<LockSpec> found = known.get(type);
        return found != null ? found : known.computeIfAbsent(type, this::find);
    }

    private Collection<LockSpec> find(Class<?> type) {
        MetadataLookup<LockSpec> lookup = method -> {
            if (!LockSpecs.declares(method, type)) {
                return null;
            }
            requireInstanceMethod(method);
            return specs.find(method, type).orElse(null);
        };
        try {
            requireNoneInCompanion(type);
            if (!LockAnnotations.isCandidate(type)) {
                return List.of();
            }
            Collection<LockSpec> found =
                    MethodIntrospector.selectMethods(type, lookup).values();
            warnOfMethodsWithoutLock(type);
            if (!woven) {
                TemplateSteps.warn(found);
            }
            return found;
        } catch (LockDeclarationException ex) {
            throw ex;
        } catch (IllegalStateException | LinkageError ex) {
            LOGGER.debug("{} cannot be searched for locked methods", type.getName(), ex);
            return List.of();
        }
    }

    /** An annotation on a type applies to the public methods that it declares. */
    private static void warnOfMethodsWithoutLock(Class<?> type) {
        if (!LockAnnotations.isOnType(type)) {
            return;
        }
        List<String> inherited = withoutLock(Arrays.stream(type.getMethods()), type);
        if (!inherited.isEmpty()) {
            LOGGER.warn(
                    "@DistributedLock on {} does not apply to the methods that it inherits from types without the"
                            + " annotation. They run without a lock: {}. Override them, or annotate those types",
                    type.getName(),
                    inherited);
        }
        List<String> notPublic =
                withoutLock(MethodIntrospector.selectMethods(type, LockedMethods::isNotPublic).stream(), type);
        if (!notPublic.isEmpty()) {
            LOGGER.warn(
                    "@DistributedLock on {} applies to public methods only. Others run without a lock: {}. Make them"
                            + " public or annotate them, or make them private if only their own object calls them",
                    type.getName(),
                    notPublic);
        }
    }

    private static List<String> withoutLock(Stream<Method> methods, Class<?> type) {
        return methods.filter(LockedMethods::isOfApplication)
                .filter(method -> !LockSpecs.declares(method, type))
                .map(MethodDescriptions::describe)
                .sorted()
                .toList();
    }

    /** Whether other objects can call the method, although it is not public, and an annotation is on its type. */
    private static boolean isNotPublic(Method method) {
        int modifiers = method.getModifiers();
        return !Modifier.isPublic(modifiers)
                && !Modifier.isPrivate(modifiers)
                && LockAnnotations.isOnType(method.getDeclaringClass());
    }

    private static boolean isOfApplication(Method method) {
        String type = method.getDeclaringClass().getName();
        return !Modifier.isStatic(method.getModifiers())
                && ClassUtils.isUserLevelMethod(method)
                && !ReflectionUtils.isObjectMethod(method)
                && NOT_OF_APPLICATION.stream().noneMatch(type::startsWith);
    }

    /** The companion object of a Kotlin class is no bean, so that the class itself may have no annotation. */
    private static void requireNoneInCompanion(Class<?> type) {
        if (!KotlinDetector.isKotlinType(type)) {
            return;
        }
        for (Class<?> nested : type.getDeclaredClasses()) {
            if (LockAnnotations.isCandidate(nested)
                    && ReflectionUtils.findField(type, nested.getSimpleName(), nested) != null) {
                for (Method method : nested.getDeclaredMethods()) {
                    if (LockSpecs.declares(method, nested)) {
                        throw LockDeclarationException.notInterceptable(
                                method,
                                "it belongs to a companion object, which is no bean, so that no call of it is intercepted",
                                "Make it a method of the class, or of another bean");
                    }
                }
            }
        }
    }

    private static void requireInstanceMethod(Method method) {
        if (Modifier.isStatic(method.getModifiers())) {
            throw LockDeclarationException.notInterceptable(
                    method, "it is static, so that no call of it is intercepted", "Make it a method of the bean");
        }
    }
}
