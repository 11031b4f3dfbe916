package io.leasehold.aop.reactive;

import java.util.function.Consumer;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowCollector;
import kotlinx.coroutines.reactor.ReactorContext;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * A Kotlin {@code Flow} that calls back at its end with the Reactor context of its collector. It stays a flow, because a
 * {@code Flux} made of it would leave the coroutine of its collector. Loaded only if Kotlin's coroutines are on the class
 * path.
 */
record GuardedFlow<T>(Flow<T> flow, Consumer<ContextView> atEnd) implements Flow<T> {

    /** The result of a method, guarded if it is declared as a {@code Flow}. */
    static @Nullable Object of(Class<?> declared, @Nullable Object result, Consumer<ContextView> atEnd) {
        return result instanceof Flow<?> flow && declared == Flow.class ? new GuardedFlow<>(flow, atEnd) : result;
    }

    @Override
    public @Nullable Object collect(FlowCollector<? super T> collector, Continuation<? super Unit> continuation) {
        Object result;
        try {
            result = flow.collect(collector, ending(continuation));
        } catch (Throwable failure) {
            end(continuation.getContext());
            throw failure;
        }
        if (result != IntrinsicsKt.getCOROUTINE_SUSPENDED()) {
            end(continuation.getContext());
        }
        return result;
    }

    private void end(CoroutineContext coroutine) {
        ReactorContext context = coroutine.get(ReactorContext.Key);
        if (context != null) {
            atEnd.accept(context.getContext());
        }
    }

    private Continuation<Unit> ending(Continuation<? super Unit> continuation) {
        return new Continuation<>() {

            @Override
            public CoroutineContext getContext() {
                return continuation.getContext();
            }

            @Override
            public void resumeWith(Object result) {
                end(getContext());
                continuation.resumeWith(result);
            }
        };
    }
}
