package io.leasehold.aop.spec;

import org.jspecify.annotations.Nullable;

/** A call of a {@code @DistributedLock} method has arguments that give no key. The method did not run. */
public class LockKeyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param problem the problem, as the end of a sentence that begins with the key
     */
    public LockKeyException(LockSpec spec, String problem, @Nullable Throwable cause) {
        super(
                "the key \"" + spec.key().text() + "\" of " + MethodDescriptions.describe(spec.method()) + " "
                        + problem,
                cause);
    }

    /** The evaluation of the key failed. */
    static LockKeyException of(LockSpec spec, @Nullable Object[] arguments, Exception cause) {
        return new LockKeyException(
                spec,
                "cannot be used for this call: " + cause.getMessage() + new LockKeyAdvice(spec, arguments).after(cause),
                cause);
    }
}
