package io.leasehold.aop.validation;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.AsyncAdvice;
import io.leasehold.aop.DistributedLockAdvisor;
import io.leasehold.aop.spec.Fallback;
import io.leasehold.aop.spec.LockAnnotations;
import io.leasehold.aop.spec.LockDeclarationException;
import io.leasehold.aop.spec.LockSpec;
import io.leasehold.aop.spec.MethodDescriptions;
import io.leasehold.aop.spec.ResultKind;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/** Rejects methods whose calls would bypass the proxy. */
final class ProxyCheck {

    private static final String ASYNC = "org.springframework.scheduling.annotation.Async";

    /** The bean of {@code @EnableAsync(mode = ASPECTJ)}. */
    private static final String WOVEN_ASYNC = "org.springframework.scheduling.config.internalAsyncExecutionAspect";

    private static final String WOVEN_LOCK = "io/leasehold/aop/WovenDistributedLockAspect";

    private ProxyCheck() {}

    /** Checks that need only the class, before it is proxied. */
    static void requireProxyable(
            Class<?> type, boolean bySubclass, ContainerCalls containerCalls, Collection<LockSpec> specs) {
        for (LockSpec spec : specs) {
            Method method = spec.method();
            requireNotPrivate(method);
            if (containerCalls.contains(method)) {
                throw LockDeclarationException.notInterceptable(
                        method,
                        "the container calls it when it creates or destroys the bean, without the proxy that locks",
                        "Lock in a method of another bean that this one calls. Work at the start may also be in an"
                                + " @EventListener for ApplicationReadyEvent");
            }
            LibraryCalls.of(method, type).ifPresent(annotation -> {
                throw LockDeclarationException.notInterceptable(
                        method,
                        annotation + " calls it on the object behind the proxy, which does not lock",
                        "Lock in a method of another bean that this one calls");
            });
            boolean byInterface = isAlwaysProxiedByInterface(type)
                    || !bySubclass && ClassUtils.getAllInterfacesForClass(type).length > 0;
            if (!byInterface && (Modifier.isFinal(type.getModifiers()) || type.isSealed())) {
                throw LockDeclarationException.notInterceptable(
                        method,
                        "its class is final or sealed, so that no proxy can extend it",
                        "Open the class, let it be proxied by its interfaces with @Proxyable(ProxyType.INTERFACES) on the"
                                + " component or its @Bean method, or put the annotation on a method of another bean");
            }
            if (!byInterface) {
                requireNotFinal(method);
                requireVisibleTo(type, method);
            }
        }
    }

    private static void requireNotPrivate(Method method) {
        if (Modifier.isPrivate(method.getModifiers())) {
            throw LockDeclarationException.notInterceptable(
                    method,
                    "it is private, so that no call of it is intercepted",
                    "Make it at least package-private and call it from another bean");
        }
    }

    /** The class of the proxy is in the package of the bean's class. */
    private static void requireVisibleTo(Class<?> type, Method method) {
        if (isPackagePrivate(method)
                && !method.getDeclaringClass().getPackageName().equals(type.getPackageName())) {
            throw LockDeclarationException.notInterceptable(
                    method,
                    "it is package-private in another package than " + type.getName()
                            + ", so that no proxy of that class can override it",
                    "Make it protected or public");
        }
    }

    private static boolean isPackagePrivate(Method method) {
        return (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE)) == 0;
    }

    /** The rule of Spring's auto-proxy creator, which does not depend on its settings. */
    private static boolean isAlwaysProxiedByInterface(Class<?> type) {
        return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
    }

    /** Checks of the bean as it is injected. */
    static void requireIntercepted(Object bean, boolean proxiesAreOpaque, Collection<LockSpec> specs) {
        boolean opaque = AopUtils.isAopProxy(bean) && !(bean instanceof Advised);
        if (specs.isEmpty() || opaque && proxiesAreOpaque) {
            return;
        }
        if (opaque) {
            throw LockDeclarationException.notInterceptable(
                    specs.iterator().next().method(),
                    "the bean is behind an opaque proxy, which does not show whether it locks",
                    "Do not call setOpaque(true) where the proxy is made, or make the object behind it a bean");
        }
        List<Advised> proxies = proxiesOf(bean);
        List<Advised> fromTheLock =
                proxies.stream().dropWhile(proxy -> !locks(proxy)).toList();
        if (fromTheLock.isEmpty()) {
            throw LockDeclarationException.notInterceptable(
                    specs.iterator().next().method(),
                    "the bean is not proxied, probably because it was made too early, as something that a"
                            + " BeanPostProcessor or a BeanFactoryPostProcessor needs, or because proxies are switched"
                            + " off (spring.aop.auto)",
                    "Move the method to a bean of its own that is made after those");
        }
        List<Advisor> inside = insideOfTheLock(fromTheLock);
        Class<?> type = AopProxyUtils.ultimateTargetClass(fromTheLock.get(0));
        for (LockSpec spec : specs) {
            proxies.subList(0, proxies.size() - fromTheLock.size() + 1)
                    .forEach(proxy -> requireIntercepted(proxy, spec));
            requireOnExecutingThread(inside, spec, type);
            CacheKeyCheck.requireKeyWithoutHandle(inside, spec, type);
        }
    }

    /** The proxies around an object, from the one that is called to the innermost. */
    private static List<Advised> proxiesOf(Object bean) {
        List<Advised> proxies = new ArrayList<>();
        Object next = bean;
        while (next instanceof Advised proxy) {
            proxies.add(proxy);
            next = AopProxyUtils.getSingletonTarget(proxy);
        }
        return proxies;
    }

    private static boolean locks(Advised proxy) {
        return Arrays.stream(proxy.getAdvisors()).anyMatch(DistributedLockAdvisor.class::isInstance);
    }

    private static List<Advisor> insideOfTheLock(List<Advised> fromTheLock) {
        return fromTheLock.stream()
                .flatMap(proxy -> Arrays.stream(proxy.getAdvisors()))
                .dropWhile(advisor -> !(advisor instanceof DistributedLockAdvisor))
                .toList();
    }

    /** A lock outside of the asynchronous execution would end before the work begins. */
    private static void requireOnExecutingThread(List<Advisor> inside, LockSpec spec, Class<?> type) {
        if (AsyncAdvice.isAmong(inside, spec.method(), type)) {
            throw LockDeclarationException.notInterceptable(
                    spec.method(),
                    "it is @Async, and the lock is taken outside of the asynchronous execution, where it would end before"
                            + " the work",
                    "Leave the order of @EnableAsync as it is by default, or move one of the two to another bean");
        }
    }

    /** A scoped proxy is a bean of its own, and would run a method that it cannot pass on to the bean of the scope. */
    static void requirePassedOn(Object scoped, Collection<LockSpec> specs) {
        specs.forEach(spec -> requireOverridable(scoped, spec.method()));
    }

    private static void requireOverridable(Object proxy, Method method) {
        requireNotPrivate(method);
        if (AopUtils.isCglibProxy(proxy)) {
            requireNotFinal(method);
            requireVisibleTo(AopProxyUtils.ultimateTargetClass(proxy), method);
            ClassLoader loader = proxy.getClass().getClassLoader();
            if (isPackagePrivate(method) && loader != method.getDeclaringClass().getClassLoader()) {
                throw LockDeclarationException.notInterceptable(
                        method,
                        "it is package-private, and the class of its proxy is loaded by " + loader
                                + ", not by the class loader of the method's class, so that it cannot override the method",
                        "Make it protected or public");
            }
        }
    }

    private static void requireIntercepted(Object bean, LockSpec spec) {
        Method method = spec.method();
        requireOverridable(bean, method);
        boolean own = LockAnnotations.isOnMethod(method);
        if (AopUtils.isJdkDynamicProxy(bean)
                && own
                && !isOfAnInterface(method, ((Advised) bean).getProxiedInterfaces())) {
            throw LockDeclarationException.notInterceptable(
                    method,
                    "it is in none of the interfaces through which the bean is proxied",
                    "Add it to an interface, or use proxies of classes (spring.aop.proxy-target-class=true)");
        }
    }

    private static void requireNotFinal(Method method) {
        if (Modifier.isFinal(method.getModifiers())) {
            throw LockDeclarationException.notInterceptable(
                    method,
                    "it is final, so that no proxy can override it",
                    "Remove the modifier (open it, in Kotlin)");
        }
    }

    private static boolean isOfAnInterface(Method method, Class<?>[] interfaces) {
        return method.getDeclaringClass().isInterface()
                || Arrays.stream(interfaces)
                        .flatMap(one -> Arrays.stream(one.getMethods()))
                        .anyMatch(one -> AopUtils.getMostSpecificMethod(one, method.getDeclaringClass())
                                .equals(method));
    }

    /** A fallback is called on the object behind the proxy, so that a lock of its own would not be taken. */
    static void requireFallbacksWithoutLock(Collection<LockSpec> specs) {
        Set<Method> locked = specs.stream().map(LockSpec::method).collect(Collectors.toSet());
        for (LockSpec spec : specs) {
            Fallback fallback = spec.fallback();
            if (fallback != null && locked.contains(fallback.method())) {
                throw LockDeclarationException.invalidFallback(
                        spec.method(),
                        fallback.method().getName(),
                        "its fallback " + MethodDescriptions.describe(fallback.method())
                                + " asks for a lock too, but is called on the object behind the proxy, without that lock",
                        "Take the lock inside the fallback with an injected Locker, or move the locked work to another"
                                + " bean that the fallback calls");
            }
        }
    }

    static void requireWoven(Collection<LockSpec> specs) {
        for (LockSpec spec : specs) {
            Method method = spec.method();
            ResultKind.requireWeavable(method);
            boolean seen = isSeen(method);
            if (!seen && isOn(method)) {
                throw LockDeclarationException.notInterceptable(
                        method,
                        "its annotation is composed of one that is itself composed with @DistributedLock, and the weaver"
                                + " sees only annotations that carry @DistributedLock themselves",
                        "Put @DistributedLock on the annotation of this method, or let proxies do the work"
                                + " (lock.aspect.mode=proxy)");
            }
            if (!seen) {
                throw LockDeclarationException.notInterceptable(
                        method,
                        "the annotation is on an interface or a superclass, where the weaver does not see it",
                        "Repeat it on this method, or let proxies do the work (lock.aspect.mode=proxy)");
            }
            if (!isWoven(method)) {
                throw LockDeclarationException.notInterceptable(
                        method,
                        "AspectJ has not woven its class, so that it would run without its lock",
                        "Include the class in the weaver of META-INF/aop.xml, and see that no class is loaded before the"
                                + " agent is started; or let proxies do the work (lock.aspect.mode=proxy)");
            }
        }
    }

    /** The container takes the object behind a proxy that was made early, and calls its method without the lock. */
    static void requireNotCalledByContainer(Collection<LockSpec> specs) {
        for (LockSpec spec : specs) {
            ContainerCalls.byPostProcessor(spec.method()).ifPresent(annotation -> {
                throw LockDeclarationException.notInterceptable(
                        spec.method(),
                        "its bean is part of a circular reference, so that @" + annotation
                                + " calls the object behind the proxy",
                        "Inject the bean with @Lazy, or move the method to a bean of its own");
            });
        }
    }

    /** A woven call does not show whether it comes through the proxy, where a thread of the executor waits for it. */
    static void requireNotAwaited(Object bean, Collection<LockSpec> specs) {
        if (!(bean instanceof Advised proxy)) {
            return;
        }
        List<Advisor> advisors = Arrays.asList(proxy.getAdvisors());
        Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        for (LockSpec spec : specs) {
            if (spec.result() == ResultKind.STAGE && AsyncAdvice.isAmong(advisors, spec.method(), type)) {
                throw awaited(spec.method());
            }
        }
    }

    private static LockDeclarationException awaited(Method method) {
        return LockDeclarationException.notInterceptable(
                method,
                "it is @Async and returns a CompletionStage, for which a thread of the executor waits, so that all"
                        + " threads may wait and none is left to run a body that AspectJ has woven",
                "Remove @Async, since the method occupies no thread while it waits for its lock; or return the"
                        + " value from a locked method of another bean that this one calls");
    }

    /**
     * Asynchronous execution that AspectJ weaves is inside of a lock that a proxy takes, which covers a stage all the
     * same. It is in no known order with a lock that is woven as well.
     */
    static void requireNotWovenAsync(BeanFactory beans, boolean lockIsWoven, Collection<LockSpec> specs) {
        if (!beans.containsBean(WOVEN_ASYNC)) {
            return;
        }
        for (LockSpec spec : specs) {
            boolean stage = spec.result() == ResultKind.STAGE;
            if (stage && !lockIsWoven || !isWovenAsync(spec.method())) {
                continue;
            }
            if (stage) {
                throw awaited(spec.method());
            }
            throw LockDeclarationException.notInterceptable(
                    spec.method(),
                    "it is @Async, and AspectJ weaves the asynchronous execution into it (@EnableAsync(mode = ASPECTJ)),"
                            + " so that its lock may end before the work",
                    "Leave the mode of @EnableAsync as it is by default, or move one of the two to another bean");
        }
    }

    /** The pointcut of Spring's aspect, which sees neither composed annotations nor those of overridden methods. */
    private static boolean isWovenAsync(Method method) {
        Class<?> result = method.getReturnType();
        return (result == void.class || Future.class.isAssignableFrom(result))
                && (MergedAnnotations.from(method).get(ASYNC).isDirectlyPresent()
                        || MergedAnnotations.from(method.getDeclaringClass(), SearchStrategy.TYPE_HIERARCHY).stream(
                                        ASYNC)
                                .anyMatch(MergedAnnotation::isDirectlyPresent));
    }

    /**
     * AspectJ moves the body of a method to a method of its own, for the advice of any aspect. If the class file has that
     * method, the compiler wove it, and the file names the aspects. Otherwise the weaver of this JVM did, which knows the
     * aspect of the lock.
     */
    static boolean isWoven(Method method) {
        Set<String> file = ClassFile.constants(method.getDeclaringClass());
        boolean byCompiler = file.contains(WOVEN_LOCK);
        String body = method.getName() + "_aroundBody";
        return Arrays.stream(method.getDeclaringClass().getDeclaredMethods())
                .map(Method::getName)
                .anyMatch(name -> name.startsWith(body) && (byCompiler || !file.contains(name)));
    }

    /** Whether AspectJ has woven the method, and sees its annotation. */
    static boolean isLockedByWeaver(Method method) {
        return isSeen(method) && isWoven(method);
    }

    /** Whether the weaver sees the annotation of the method: on the method, or else on its class. */
    private static boolean isSeen(Method method) {
        return isSeenOn(method) || isSeenOn(method.getDeclaringClass()) && !LockAnnotations.isOnMethod(method);
    }

    /** Whether the method or its class carries the annotation, however deep it is composed. */
    private static boolean isOn(Method method) {
        return MergedAnnotations.from(method).isPresent(DistributedLock.class)
                || MergedAnnotations.from(method.getDeclaringClass()).isPresent(DistributedLock.class);
    }

    private static boolean isSeenOn(AnnotatedElement element) {
        return Arrays.stream(element.getDeclaredAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(type -> type == DistributedLock.class || type.isAnnotationPresent(DistributedLock.class));
    }
}
