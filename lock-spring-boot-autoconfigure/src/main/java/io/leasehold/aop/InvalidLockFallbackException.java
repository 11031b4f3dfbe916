package io.leasehold.aop;

import java.lang.reflect.Method;

/** The fallback method of a {@code @DistributedLock} is not there, or cannot be called in the place of the method. */
public class InvalidLockFallbackException extends LockDeclarationException {

    private static final long serialVersionUID = 1L;

    InvalidLockFallbackException(Method method, String fallback, String problem, String nextStep) {
        super(method, "fallbackMethod", fallback, problem, nextStep, null);
    }
}
