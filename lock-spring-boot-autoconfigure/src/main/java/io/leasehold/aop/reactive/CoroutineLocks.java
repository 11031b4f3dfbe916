package io.leasehold.aop.reactive;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.aop.invocation.AcquiredLocks;
import io.leasehold.aop.invocation.LockLosses;
import io.leasehold.aop.invocation.LockedInvocation.FencingTokenMdc;
import io.leasehold.aop.spec.LockSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import kotlin.Unit;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.CopyableThreadContextElement;
import kotlinx.coroutines.Job;
import org.jspecify.annotations.Nullable;

/**
 * The locks of a suspending function, in the context of its coroutine. Whichever thread continues the coroutine works
 * under them until it suspends again. Calls join them, because the function holds them until it has ended, and each
 * cancelled coroutine that has inherited them. Loaded only for a suspending function.
 *
 * <p>Each coroutine has a copy of its own. Spring runs a suspending function of a bean with any advice in a coroutine
 * without a parent, so that its end is not awaited by the coroutine of its caller if that is cancelled.
 */
final class CoroutineLocks extends AbstractCoroutineContextElement implements CopyableThreadContextElement<Runnable> {

    private static final CoroutineContext.Key<CoroutineLocks> KEY = new CoroutineContext.Key<>() {};

    private final List<LockHandle> handles;

    private final List<LockHandle> tolerated;

    private final List<PendingWork> calls;

    /** The end of the coroutine that begins with this element; taken when it begins. */
    private final AtomicReference<@Nullable CompletableFuture<Void>> end;

    /** Whether the coroutine is not that of the function. */
    private final boolean inherited;

    private CoroutineLocks(
            List<LockHandle> handles,
            List<LockHandle> tolerated,
            List<PendingWork> calls,
            CompletableFuture<Void> end,
            boolean inherited) {
        super(KEY);
        this.handles = List.copyOf(handles);
        this.tolerated = List.copyOf(tolerated);
        this.calls = List.copyOf(calls);
        this.end = new AtomicReference<>(end);
        this.inherited = inherited;
    }

    /**
     * Adds the locks of a call to the continuation that is its last argument, from which Spring takes the context.
     *
     * @param calls the calls that release their locks only after the function
     * @param end completed when the coroutine of the function has ended; the caller completes it with the result
     */
    static void addTo(
            @Nullable Object[] arguments,
            LockSpec spec,
            AcquiredLocks locks,
            List<PendingWork> calls,
            CompletableFuture<Void> end) {
        int last = arguments.length - 1;
        if (last >= 0 && arguments[last] instanceof Continuation<?> continuation) {
            arguments[last] = under(spec, locks, calls, end, continuation);
        }
    }

    private static <T> Continuation<T> under(
            LockSpec spec,
            AcquiredLocks locks,
            List<PendingWork> calls,
            CompletableFuture<Void> end,
            Continuation<T> continuation) {
        List<LockHandle> handles = new ArrayList<>(locks.all());
        Collections.reverse(handles);
        List<LockHandle> tolerated = new ArrayList<>(LockLosses.toleratedInBody(spec, locks));
        CoroutineLocks outer = continuation.getContext().get(KEY);
        if (outer != null) {
            outer.handles.stream().filter(handle -> !handles.contains(handle)).forEach(handles::add);
            tolerated.addAll(outer.tolerated);
        }
        CoroutineContext context =
                continuation.getContext().plus(new CoroutineLocks(handles, tolerated, calls, end, false));
        return new Continuation<>() {

            @Override
            public CoroutineContext getContext() {
                return context;
            }

            @Override
            public void resumeWith(Object result) {
                continuation.resumeWith(result);
            }
        };
    }

    @Override
    public Runnable updateThreadContext(CoroutineContext context) {
        CompletableFuture<Void> first = end.getAndSet(null);
        if (first != null) {
            awaitEndOf(context.get(Job.Key), first);
        }
        // the locks last, and left first: the log may fail, and other work of a thread that keeps them would join them
        Runnable leaveToken = FencingTokenMdc.enter(handles);
        Runnable leaveTolerated = LockLosses.Tolerated.enter(tolerated);
        Runnable leaveLocks = LockContext.enter(handles);
        return () -> {
            leaveLocks.run();
            leaveTolerated.run();
            leaveToken.run();
        };
    }

    /**
     * A coroutine, which Spring runs outside of its caller's, goes on after a cancellation. One that the application
     * detaches from the function is not cancelled with it, and the function may return before its end.
     */
    private void awaitEndOf(@Nullable Job coroutine, CompletableFuture<Void> ended) {
        if (coroutine != null) {
            BooleanSupplier awaited = inherited ? coroutine::isCancelled : () -> true;
            calls.forEach(call -> call.add(ended, awaited));
            coroutine.invokeOnCompletion(failure -> {
                ended.complete(null);
                return Unit.INSTANCE;
            });
        }
    }

    /** The coroutine of the function takes the end that its caller knows, and each further one has its own. */
    @Override
    public CopyableThreadContextElement<Runnable> copyForChild() {
        CompletableFuture<Void> ofFunction = end.getAndSet(null);
        return ofFunction != null
                ? new CoroutineLocks(handles, tolerated, calls, ofFunction, inherited)
                : new CoroutineLocks(handles, tolerated, calls, new CompletableFuture<>(), true);
    }

    /** The element that replaces this one has locks of its own, among which are these. */
    @Override
    public CoroutineContext mergeForChild(CoroutineContext.Element overwriting) {
        return overwriting instanceof CoroutineLocks locks ? locks.copyForChild() : overwriting;
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, Runnable leave) {
        leave.run();
    }
}
