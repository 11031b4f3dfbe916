package io.leasehold.aop;

import java.lang.reflect.Method;

/** A {@code @DistributedLock} names a locker that is not configured. */
public class UnknownLockerException extends LockDeclarationException {

    private static final long serialVersionUID = 1L;

    UnknownLockerException(Method method, String locker, String problem, String nextStep) {
        super(method, "locker", locker, problem, nextStep, null);
    }
}
