package io.leasehold.aop;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** A duration or a switch of a {@code @DistributedLock} cannot be read, or contradicts another one. */
public class InvalidLockTermsException extends LockDeclarationException {

    private static final long serialVersionUID = 1L;

    InvalidLockTermsException(
            Method method, String attribute, String value, String problem, String nextStep, @Nullable Throwable cause) {
        super(method, attribute, value, problem, nextStep, cause);
    }
}
