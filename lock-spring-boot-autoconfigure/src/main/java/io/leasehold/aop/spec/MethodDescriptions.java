package io.leasehold.aop.spec;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.springframework.core.ResolvableType;

/** Descriptions and properties of methods. */
public final class MethodDescriptions {

    private MethodDescriptions() {}

    /** The form of a method in messages. */
    public static String describe(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return method.getDeclaringClass().getName() + "." + method.getName() + "(" + parameters + ")";
    }

    /** Whether it is a suspending function of Kotlin's, or implements one. */
    public static boolean isSuspending(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return types.length > 0 && types[types.length - 1].getName().equals("kotlin.coroutines.Continuation");
    }

    /** The declared result, for a suspending function that of its continuation, with the type variables of the class. */
    static ResolvableType result(Method method, Class<?> targetClass) {
        return isSuspending(method)
                ? ResolvableType.forMethodParameter(method, method.getParameterCount() - 1, targetClass)
                        .getGeneric()
                : ResolvableType.forMethodReturnType(method, targetClass);
    }
}
