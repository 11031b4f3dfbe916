package io.leasehold.aop;

import java.lang.reflect.Method;

/** A {@code @DistributedLock} is on a method whose calls are not intercepted, so that it would run without its lock. */
public class LockNotInterceptableException extends LockDeclarationException {

    private static final long serialVersionUID = 1L;

    LockNotInterceptableException(Method method, String problem, String nextStep) {
        super(method, "", "", problem, nextStep, null);
    }
}
