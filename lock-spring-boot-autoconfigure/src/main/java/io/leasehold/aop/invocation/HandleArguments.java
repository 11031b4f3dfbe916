package io.leasehold.aop.invocation;

import io.leasehold.LockHandle;
import io.leasehold.aop.spec.LockKeyException;
import io.leasehold.aop.spec.LockKeySet;
import io.leasehold.aop.spec.LockSpec;
import io.leasehold.aop.spec.MethodDescriptions;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Gives the handle to those parameters of type {@link LockHandle} that the caller left {@code null}. */
public final class HandleArguments {

    private HandleArguments() {}

    /** Refuses a call that would need one handle for several locks, before any of them is taken. */
    public static void requireUnambiguous(LockSpec spec, LockKeySet keys, @Nullable Object[] arguments) {
        if (keys.plural() && !open(spec, arguments).isEmpty()) {
            throw new LockKeyException(
                    "the key \"" + spec.key().text() + "\" of " + MethodDescriptions.describe(spec.method())
                            + " gives a list, so its LockHandle parameter cannot be filled with one handle;"
                            + " remove the parameter and use LockContext.find(locker, key)",
                    null);
        }
    }

    /**
     * Fills the parameters for a body; leaves the array as it was, for a caller that calls the method again with it. A
     * suspending function reads the array later than the call returns, and is called once.
     */
    public static <T extends @Nullable Object> T call(
            LockSpec spec, AcquiredLocks locks, @Nullable Object[] arguments, Callable<T> body) throws Exception {
        List<Integer> open = open(spec, arguments);
        if (open.isEmpty()) {
            return body.call();
        }
        open.forEach(index -> arguments[index] = locks.all().get(0));
        try {
            return body.call();
        } finally {
            if (!MethodDescriptions.isSuspending(spec.method())) {
                open.forEach(index -> arguments[index] = null);
            }
        }
    }

    private static List<Integer> open(LockSpec spec, @Nullable Object[] arguments) {
        return spec.handles().isEmpty()
                ? spec.handles()
                : spec.handles().stream()
                        .filter(index -> arguments[index] == null)
                        .toList();
    }
}
