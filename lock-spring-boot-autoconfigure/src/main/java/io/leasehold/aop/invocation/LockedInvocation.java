package io.leasehold.aop.invocation;

import io.leasehold.LockHandle;
import io.leasehold.annotation.OnLost;
import io.leasehold.aop.spec.LockSpec;
import io.leasehold.aop.spec.ResultKind;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * Runs a body under its acquired locks, on the caller's thread, and then releases them.
 *
 * <p>An exception of the body takes precedence over failures of the locks.
 */
public final class LockedInvocation {

    private final TransactionBinding transactions;

    public LockedInvocation(TransactionBinding transactions) {
        this.transactions = transactions;
    }

    public @Nullable Object run(LockSpec spec, AcquiredLocks locks, MethodInvocation invocation) throws Throwable {
        boolean tolerant = spec.onLost() == OnLost.EVENT;
        boolean releaseHere = true;
        Object result = null;
        Throwable failure = null;
        try {
            transactions.requireHeldAtCommit(locks.joined());
            releaseHere = locks.own().isEmpty() || !transactions.takeOver(locks.own(), !tolerant);
            result = proceedUntilLoss(spec, locks, invocation);
            if (spec.result() != ResultKind.PRIMITIVE) {
                ResultKind.requireDone(spec.method(), result);
            }
        } catch (Throwable ex) {
            failure = ex;
        }
        if (!tolerant) {
            failure = LockLosses.outcome(failure, LockLosses.firstAfterConfirmation(locks));
        }
        if (releaseHere) {
            failure = release(locks, failure);
        }
        if (failure != null) {
            throw failure;
        }
        return result;
    }

    private static @Nullable Throwable release(AcquiredLocks locks, @Nullable Throwable failure) {
        try {
            locks.release();
            return failure;
        } catch (RuntimeException | Error ex) {
            if (failure == null) {
                return ex;
            }
            failure.addSuppressed(ex);
            return failure;
        }
    }

    /** As {@link #proceed}. A loss interrupts the thread while it runs the method, if the spec says so. */
    static @Nullable Object proceedUntilLoss(LockSpec spec, AcquiredLocks locks, MethodInvocation invocation)
            throws Exception {
        return spec.onLost() == OnLost.INTERRUPT
                ? BodyInterrupt.call(locks.own(), () -> proceed(spec, locks, invocation))
                : proceed(spec, locks, invocation);
    }

    /**
     * Calls the method itself, with its locks in the context of the thread, in its arguments and in the log. Fails
     * instead if one of the locks is lost already.
     */
    public static @Nullable Object proceed(LockSpec spec, AcquiredLocks locks, MethodInvocation invocation)
            throws Exception {
        // one of several locks may have been lost while the call waited for the others or for a thread
        LockLosses.requireNone(locks.required());
        Callable<@Nullable Object> body = asCallable(invocation);
        Callable<@Nullable Object> filled =
                () -> withHandle(spec, locks, invocation.getArguments(), () -> locks.within(body));
        return FencingTokenMdc.call(
                locks.all(), () -> LockLosses.Tolerated.call(LockLosses.toleratedInBody(spec, locks), filled));
    }

    /**
     * Fills the handle parameters for which the caller passed {@code null}, and restores the array afterwards for a
     * caller that uses it again. The array of an asynchronous call is not restored: advice inside of the lock may read it
     * after the call has returned, as that of reactive transactions does, and so does a suspending function. It belongs
     * to a copy of the call.
     */
    private static @Nullable Object withHandle(
            LockSpec spec, AcquiredLocks locks, @Nullable Object[] arguments, Callable<@Nullable Object> body)
            throws Exception {
        List<Integer> open = spec.openHandles(arguments);
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

    private static Callable<@Nullable Object> asCallable(MethodInvocation invocation) {
        return () -> {
            try {
                // the body of an asynchronous method runs after the call, and advice inside of the lock looks for its
                // call
                return invocation instanceof ProxyMethodInvocation
                        ? ExposeInvocationInterceptor.INSTANCE.invoke(invocation)
                        : invocation.proceed();
            } catch (Throwable ex) {
                throw LockedInvocation.<Exception>unchanged(ex);
            }
        };
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchanged(Throwable failure) throws E {
        throw (E) failure;
    }

    /** A copy of the call that can proceed later. For several calls, create a new copy for each. */
    public static MethodInvocation repeatable(MethodInvocation invocation) {
        if (invocation instanceof ProxyMethodInvocation proxied) {
            return proxied.invocableClone();
        }
        return invocation instanceof Repeatable call ? call.copy() : invocation;
    }

    /** A call that can proceed several times, also at the same time. */
    public interface Repeatable extends MethodInvocation {

        /** A call with arguments of its own. */
        MethodInvocation copy();
    }

    /** Interrupts the thread of a body when one of its locks is lost, only while it runs the body. */
    static final class BodyInterrupt {

        private final Thread thread = Thread.currentThread();

        private boolean inBody = true;

        private boolean interrupted;

        private BodyInterrupt() {}

        static <T extends @Nullable Object> T call(List<LockHandle> handles, Callable<T> body) throws Exception {
            BodyInterrupt interrupt = new BodyInterrupt();
            handles.forEach(handle -> handle.onLost(reason -> interrupt.lost()));
            try {
                return body.call();
            } catch (InterruptedException ex) {
                interrupt.consumed();
                throw ex;
            } finally {
                interrupt.leave();
            }
        }

        private synchronized void lost() {
            if (inBody && !interrupted) {
                // leave() must not clear an interrupt that was there before
                interrupted = !thread.isInterrupted();
                thread.interrupt();
            }
        }

        /** An interrupt that arrives after the body has consumed the one of the loss is not cleared. */
        private synchronized void consumed() {
            inBody = false;
            interrupted = false;
        }

        /** Clears an interrupt that the body has not consumed. */
        private synchronized void leave() {
            inBody = false;
            if (interrupted) {
                Thread.interrupted();
            }
        }
    }

    /** Keeps the fencing token in the logging context while a body runs; several tokens are separated by commas. */
    public static final class FencingTokenMdc {

        public static final String NAME = "lock.fencingToken";

        private FencingTokenMdc() {}

        static <T extends @Nullable Object> T call(List<LockHandle> handles, Callable<T> body) throws Exception {
            Runnable leave = enter(handles);
            try {
                return body.call();
            } finally {
                leave.run();
            }
        }

        /** Shows the tokens until the result is run, on the same thread. */
        public static Runnable enter(List<LockHandle> handles) {
            String outer = MDC.get(NAME);
            MDC.put(NAME, text(handles));
            return () -> {
                if (outer == null) {
                    MDC.remove(NAME);
                } else {
                    MDC.put(NAME, outer);
                }
            };
        }

        /** The tokens as the logging context shows them. */
        public static String text(List<LockHandle> handles) {
            return handles.size() == 1
                    ? Long.toString(handles.get(0).fencingToken())
                    : handles.stream()
                            .map(handle -> Long.toString(handle.fencingToken()))
                            .collect(Collectors.joining(","));
        }
    }
}
