package io.leasehold.aop;

import java.lang.reflect.Method;

/** A {@code @DistributedLock} cannot cover, or cannot skip, a method that returns what this one returns. */
public class UnsupportedLockResultException extends LockDeclarationException {

    private static final long serialVersionUID = 1L;

    UnsupportedLockResultException(Method method, String attribute, String value, String problem, String nextStep) {
        super(method, attribute, value, problem, nextStep, null);
    }
}
