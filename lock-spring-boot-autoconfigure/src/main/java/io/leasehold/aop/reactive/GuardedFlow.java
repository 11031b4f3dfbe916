package io.leasehold.aop.reactive;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowCollector;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import kotlinx.coroutines.reactor.ReactorContext;
import kotlinx.coroutines.reactor.ReactorFlowKt;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
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

    /**
     * The result of the transaction around a guarded method. Spring has made it of a {@code Flux}, so it leaves no
     * coroutine.
     *
     * @param around adds what happens around the transaction
     */
    static @Nullable Object around(Class<?> declared, @Nullable Object result, UnaryOperator<Flux<Object>> around) {
        return result instanceof Flow<?> flow && declared == Flow.class && !(result instanceof GuardedFlow)
                ? ReactiveFlowKt.asFlow(around.apply(ReactorFlowKt.<Object>asFlux(flow)))
                : result;
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
