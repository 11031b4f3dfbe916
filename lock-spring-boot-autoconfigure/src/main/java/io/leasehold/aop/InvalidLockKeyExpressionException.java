package io.leasehold.aop;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** The key of a {@code @DistributedLock} is missing, cannot be parsed, or asks for what no call can give. */
public class InvalidLockKeyExpressionException extends LockDeclarationException {

    private static final long serialVersionUID = 1L;

    InvalidLockKeyExpressionException(
            Method method, String key, String problem, String nextStep, @Nullable Throwable cause) {
        super(method, "key", key, problem, nextStep, cause);
    }
}
