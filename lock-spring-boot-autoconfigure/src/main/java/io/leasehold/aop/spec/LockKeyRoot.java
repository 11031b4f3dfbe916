package io.leasehold.aop.spec;

import java.util.Set;

/**
 * What a key expression sees as {@code #root}.
 *
 * @param methodName the name of the method that is called
 * @param targetClass the class of the object that it is called on
 */
public record LockKeyRoot(String methodName, Class<?> targetClass) {

    public static final Set<String> PROPERTIES = Set.of("methodName", "targetClass");
}
