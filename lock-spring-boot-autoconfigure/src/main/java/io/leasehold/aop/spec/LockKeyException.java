package io.leasehold.aop.spec;

import org.jspecify.annotations.Nullable;

/** A call of a {@code @DistributedLock} method has arguments that give no key. The method did not run. */
public class LockKeyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public LockKeyException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
