package io.leasehold.aop;

import io.leasehold.LockHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Gives the handle to those parameters of type {@link LockHandle} that the caller left {@code null}. */
final class HandleArguments {

    private HandleArguments() {}

    /** Refuses a call that would need one handle for several locks, before any of them is taken. */
    static void requireUnambiguous(LockSpec spec, LockKeySet keys, @Nullable Object[] arguments) {
        if (keys.plural() && !open(spec, arguments).isEmpty()) {
            throw new LockKeyException(
                    "the key \"" + spec.key().text() + "\" of " + Methods.describe(spec.method())
                            + " gives a list, so its LockHandle parameter cannot be filled with one handle;"
                            + " remove the parameter and use LockContext.find(locker, key)",
                    null);
        }
    }

    /** Fills the parameters for a body; leaves the array as it was, for whoever calls the method again with it. */
    static <T extends @Nullable Object> T call(
            LockSpec spec, HeldLocks locks, @Nullable Object[] arguments, Callable<T> body) throws Exception {
        List<Integer> open = open(spec, arguments);
        open.forEach(index -> arguments[index] = locks.all().get(0));
        try {
            return body.call();
        } finally {
            open.forEach(index -> arguments[index] = null);
        }
    }

    private static List<Integer> open(LockSpec spec, @Nullable Object[] arguments) {
        List<Integer> open = new ArrayList<>();
        Class<?>[] types = spec.method().getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            if (types[i] == LockHandle.class && arguments[i] == null) {
                open.add(i);
            }
        }
        return open;
    }
}
