package io.leasehold.aop;

import java.util.Set;

/**
 * What a key expression sees as {@code #root}.
 *
 * @param methodName the name of the method that is called
 * @param targetClass the class of the object that it is called on
 */
record LockKeyRoot(String methodName, Class<?> targetClass) {

    static final Set<String> PROPERTIES = Set.of("methodName", "targetClass");
}
