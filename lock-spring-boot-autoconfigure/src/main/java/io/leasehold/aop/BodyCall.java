package io.leasehold.aop;

import java.util.concurrent.Callable;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Calls the method itself, with its locks in the context of the thread, in its arguments and in the log. */
final class BodyCall {

    private BodyCall() {}

    static @Nullable Object proceed(LockSpec spec, HeldLocks locks, MethodInvocation invocation) throws Exception {
        Callable<@Nullable Object> body = asCallable(invocation);
        Callable<@Nullable Object> filled =
                () -> HandleArguments.call(spec, locks, invocation.getArguments(), () -> locks.within(body));
        return FencingTokenMdc.call(locks.all(), filled);
    }

    private static Callable<@Nullable Object> asCallable(MethodInvocation invocation) {
        return () -> {
            try {
                return invocation.proceed();
            } catch (Throwable ex) {
                throw BodyCall.<Exception>unchanged(ex);
            }
        };
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchanged(Throwable failure) throws E {
        throw (E) failure;
    }
}
