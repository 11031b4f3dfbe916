package io.leasehold.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/** How methods are written in messages. */
final class Methods {

    private Methods() {}

    static String describe(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return method.getDeclaringClass().getName() + "." + method.getName() + "(" + parameters + ")";
    }
}
