package io.leasehold.aop;

import io.leasehold.LockHandle;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Gives the handle to those parameters of type {@link LockHandle} that the caller left {@code null}. */
final class HandleArguments {

    private HandleArguments() {}

    /** Where a method takes handles. */
    static List<Integer> positions(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return IntStream.range(0, types.length)
                .filter(index -> types[index] == LockHandle.class)
                .boxed()
                .toList();
    }

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
        if (open.isEmpty()) {
            return body.call();
        }
        open.forEach(index -> arguments[index] = locks.all().get(0));
        try {
            return body.call();
        } finally {
            open.forEach(index -> arguments[index] = null);
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
