package io.leasehold.aop.spec;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The object {@code #root} of a key expression.
 *
 * @param methodName the name of the method that is called
 * @param target the object that it is called on
 * @param targetClass its class, or the interface that has the method if it is a proxy of the JDK or a lambda
 * @param args the arguments of the call
 */
public record LockKeyRoot(
        String methodName, @Nullable Object target, Class<?> targetClass, List<@Nullable Object> args) {

    public static final Set<String> PROPERTIES = Set.of("methodName", "target", "targetClass", "args");
}
