package io.leasehold.aop;

import io.leasehold.annotation.DistributedLock;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;

/** Refuses annotations that stand where the pointcut of {@link WovenDistributedLockAspect} does not see them. */
final class WeavingCheck {

    private WeavingCheck() {}

    static void requireWoven(Collection<LockSpec> specs) {
        for (LockSpec spec : specs) {
            Method method = spec.method();
            boolean ofType = isSeenOn(method.getDeclaringClass()) && !LockAnnotations.isOnMethod(method);
            if (!isSeenOn(method) && !ofType) {
                throw new LockNotInterceptableException(
                        method,
                        "the annotation is on an interface or a superclass, where the weaver does not see it",
                        "Repeat it on this method, or let proxies do the work (lock.aspect.mode=proxy)");
            }
        }
    }

    private static boolean isSeenOn(AnnotatedElement element) {
        return Arrays.stream(element.getDeclaredAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(type -> type == DistributedLock.class || type.isAnnotationPresent(DistributedLock.class));
    }
}
