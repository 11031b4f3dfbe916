package io.leasehold.aop.spec;

import io.leasehold.LockException;
import io.leasehold.LockNotAcquiredException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The method to call when the lock was not acquired.
 *
 * @param method the method, made accessible
 * @param handles the exceptions it is called for
 * @param takesException whether it takes the exception as its last parameter
 */
public record Fallback(Method method, Class<? extends LockException> handles, boolean takesException) {

    private static Fallback of(Method method) {
        method.setAccessible(true);
        return new Fallback(method, LockNotAcquiredException.class, false);
    }

    private static Fallback of(Method method, Class<? extends LockException> handles) {
        method.setAccessible(true);
        return new Fallback(method, handles, true);
    }

    public @Nullable Object call(@Nullable Object target, @Nullable Object[] arguments, LockException failure)
            throws Throwable {
        @Nullable Object[] passed = arguments;
        if (takesException) {
            passed = Arrays.copyOf(arguments, arguments.length + 1);
            passed[arguments.length] = failure;
        }
        try {
            return method.invoke(target, passed);
        } catch (InvocationTargetException ex) {
            throw ex.getTargetException();
        }
    }

    /** Finds the fallback method of a locked method in the class of the bean. */
    static @Nullable Fallback find(String name, Method method, Class<?> targetClass) {
        if (name.isEmpty()) {
            return null;
        }
        if (MethodDescriptions.isSuspending(method)) {
            throw LockDeclarationException.invalidFallback(
                    method,
                    name,
                    "a suspending function cannot have a fallback",
                    "Catch LockNotAcquiredException where the function is called");
        }
        List<Fallback> found = new ArrayList<>();
        for (Method candidate : ReflectionUtils.getUniqueDeclaredMethods(targetClass)) {
            if (candidate.getName().equals(name) && !candidate.isBridge()) {
                Fallback fallback = matching(candidate, method, targetClass);
                if (fallback != null) {
                    found.add(fallback);
                }
            }
        }
        if (found.size() == 1) {
            return requireFitting(found.get(0), name, method, targetClass);
        }
        throw LockDeclarationException.invalidFallback(
                method,
                name,
                found.isEmpty()
                        ? "there is no method " + name + " with the parameters of " + method.getName() + " in "
                                + targetClass.getName()
                        : "several methods " + name + " would do: "
                                + found.stream()
                                        .map(one -> MethodDescriptions.describe(one.method()))
                                        .toList(),
                "Write one method " + name + " with the same parameters, and at most a LockException after them");
    }

    private static @Nullable Fallback matching(Method candidate, Method method, Class<?> targetClass) {
        Class<?>[] wanted = parameterTypes(method, targetClass);
        Class<?>[] offered = parameterTypes(candidate, targetClass);
        if (Arrays.equals(wanted, offered)) {
            return candidate.equals(method) ? null : Fallback.of(candidate);
        }
        boolean oneMore = offered.length == wanted.length + 1
                && Arrays.equals(wanted, Arrays.copyOf(offered, wanted.length))
                && LockException.class.isAssignableFrom(offered[wanted.length]);
        return oneMore ? Fallback.of(candidate, offered[wanted.length].asSubclass(LockException.class)) : null;
    }

    /** The types with the type variables of the class, so that an override in a subclass of a generic class is found. */
    private static Class<?>[] parameterTypes(Method method, Class<?> targetClass) {
        Class<?>[] types = method.getParameterTypes();
        Arrays.setAll(
                types,
                index -> ResolvableType.forMethodParameter(method, index, targetClass)
                        .resolve(types[index]));
        return types;
    }

    private static Fallback requireFitting(Fallback fallback, String name, Method method, Class<?> targetClass) {
        Class<?> wanted = method.getReturnType();
        Class<?> offered = MethodDescriptions.result(fallback.method(), targetClass)
                .resolve(fallback.method().getReturnType());
        if (wanted != void.class && (offered == void.class || !ClassUtils.isAssignable(wanted, offered))) {
            throw LockDeclarationException.invalidFallback(
                    method,
                    name,
                    "'" + name + "' returns " + offered.getSimpleName() + " where " + method.getName() + " returns "
                            + wanted.getSimpleName(),
                    "Let '" + name + "' return " + wanted.getSimpleName());
        }
        return fallback;
    }
}
