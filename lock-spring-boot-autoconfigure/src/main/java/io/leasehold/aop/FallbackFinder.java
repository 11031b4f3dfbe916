package io.leasehold.aop;

import io.leasehold.LockException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds the fallback method of a locked method in the class of the bean. */
final class FallbackFinder {

    private FallbackFinder() {}

    static @Nullable Fallback find(String name, Method method, Class<?> targetClass) {
        if (name.isEmpty()) {
            return null;
        }
        if (Methods.isSuspending(method)) {
            throw new InvalidLockFallbackException(
                    method,
                    name,
                    "a suspending function cannot have a fallback",
                    "Catch LockNotAcquiredException where the function is called");
        }
        List<Fallback> found = new ArrayList<>();
        for (Method candidate : ReflectionUtils.getUniqueDeclaredMethods(targetClass)) {
            if (candidate.getName().equals(name) && !candidate.isBridge()) {
                Fallback fallback = matching(candidate, method);
                if (fallback != null) {
                    found.add(fallback);
                }
            }
        }
        if (found.size() == 1) {
            return requireFitting(found.get(0), name, method);
        }
        throw new InvalidLockFallbackException(
                method,
                name,
                found.isEmpty()
                        ? "there is no method " + name + " with the parameters of " + method.getName() + " in "
                                + targetClass.getName()
                        : "several methods " + name + " would do: "
                                + found.stream()
                                        .map(one -> Methods.describe(one.method()))
                                        .toList(),
                "Write one method " + name + " with the same parameters, and at most a LockException after them");
    }

    private static @Nullable Fallback matching(Method candidate, Method method) {
        Class<?>[] wanted = method.getParameterTypes();
        Class<?>[] offered = candidate.getParameterTypes();
        if (Arrays.equals(wanted, offered)) {
            return candidate.equals(method) ? null : Fallback.of(candidate);
        }
        boolean oneMore = offered.length == wanted.length + 1
                && Arrays.equals(wanted, Arrays.copyOf(offered, wanted.length))
                && LockException.class.isAssignableFrom(offered[wanted.length]);
        return oneMore ? Fallback.of(candidate, offered[wanted.length].asSubclass(LockException.class)) : null;
    }

    private static Fallback requireFitting(Fallback fallback, String name, Method method) {
        Class<?> wanted = method.getReturnType();
        Class<?> offered = fallback.method().getReturnType();
        if (wanted != void.class && (offered == void.class || !ClassUtils.isAssignable(wanted, offered))) {
            throw new InvalidLockFallbackException(
                    method,
                    name,
                    "it returns " + offered.getSimpleName() + " where " + method.getName() + " returns "
                            + wanted.getSimpleName(),
                    "Let it return " + wanted.getSimpleName());
        }
        return fallback;
    }
}
