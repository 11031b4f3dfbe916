package io.leasehold.aop.invocation;

import io.leasehold.LockHandle;
import io.leasehold.aop.spec.LockKeyException;
import io.leasehold.aop.spec.LockKeySet;
import io.leasehold.aop.spec.LockSpec;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Passes the handle to parameters of type {@link LockHandle} for which the caller passed {@code null}. */
public final class HandleArguments {

    private HandleArguments() {}

    /** Rejects a call that would need one handle for several locks, before any of them is acquired. */
    public static void requireUnambiguous(LockSpec spec, LockKeySet keys, @Nullable Object[] arguments) {
        if (keys.plural() && !open(spec, arguments).isEmpty()) {
            throw new LockKeyException(
                    spec,
                    "gives a list, so its LockHandle parameter cannot be filled with one handle;"
                            + " remove the parameter and use LockContext.find(locker, key)",
                    null);
        }
    }

    /**
     * Fills the parameters for a body, and restores the array afterwards for a caller that uses it again. The array of
     * an asynchronous call is not restored: advice inside of the lock may read it after the call has returned, as that
     * of reactive transactions does, and so does a suspending function. It belongs to a copy of the call.
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
            if (!spec.result().isAsynchronous()) {
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
