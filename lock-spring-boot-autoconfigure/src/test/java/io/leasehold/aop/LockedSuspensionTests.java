package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.spec.LockDeclarationException;
import io.leasehold.aop.spec.LockSpecs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import kotlin.Result;
import kotlin.ResultKt;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.flow.FlowCollector;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;

/**
 * Suspending functions: a function that the Kotlin library declares, implemented in Java and called through a proxy the
 * way a coroutine calls it.
 */
class LockedSuspensionTests {

    private final RecordingLocker locker = new RecordingLocker("default");

    private final Collector target = new Collector();

    private final FlowCollector<String> proxy = proxy(target);

    private final Caller caller = new Caller();

    @Test
    void theLockIsHeldWhileTheFunctionIsSuspended() {
        Object answer = proxy.emit("a", caller);
        assertThat(answer).isSameAs(IntrinsicsKt.getCOROUTINE_SUSPENDED());
        assertThat(locker.isHeld("a")).isTrue();
        target.resume();
        Awaitility.await().until(() -> !caller.results.isEmpty());
        assertThat(caller.results).noneMatch(Result.Failure.class::isInstance);
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void theLockEndsWithTheFailureOfTheFunction() {
        proxy.emit("a", caller);
        IllegalStateException failure = new IllegalStateException("of the body");
        target.suspended.get(0).resumeWith(ResultKt.createFailure(failure));
        Awaitility.await().until(() -> !caller.results.isEmpty());
        assertThat(caller.failure()).hasMessage("of the body");
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void theFunctionDoesNotRunWithoutTheLock() {
        locker.holdElsewhere("a");
        assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> {
            proxy.emit("a", caller);
            throw caller.failure();
        });
        assertThat(target.suspended).isEmpty();
    }

    @Test
    void aLostLockFailsTheCall() {
        proxy.emit("a", caller);
        locker.lose("a");
        target.resume();
        Awaitility.await().until(() -> !caller.results.isEmpty());
        assertThat(caller.failure()).isInstanceOf(LockLostException.class);
    }

    @Test
    void aFunctionIsGivenItsHandle() {
        TakesHandle target = new TakesHandle();
        FlowCollector<LockHandle> taking = proxy(target);
        taking.emit(null, caller);
        Awaitility.await().until(() -> !target.handles.isEmpty());
        assertThat(target.handles).singleElement().isNotNull();
        assertThat(target.handles.get(0).key()).isEqualTo("a");
    }

    @Test
    void aFallbackIsRefused() {
        assertThatExceptionOfType(LockDeclarationException.class)
                .isThrownBy(() -> new LockSpecs(text -> text)
                        .find(
                                WithFallback.class.getMethod("emit", String.class, Continuation.class),
                                WithFallback.class));
    }

    @Test
    void theNamesThatAKeyCanUseAreThoseOfTheFunction() {
        assertThatExceptionOfType(LockDeclarationException.class)
                .isThrownBy(() -> new LockSpecs(text -> text)
                        .find(
                                WithUnknownName.class.getMethod("emit", String.class, Continuation.class),
                                WithUnknownName.class))
                .withMessageContaining("it can use #value, #p0 and #root");
    }

    @SuppressWarnings("unchecked")
    private <T> FlowCollector<T> proxy(FlowCollector<T> target) {
        RecordingLockerRegistry registry = new RecordingLockerRegistry(locker);
        DistributedLockAdvisor advisor = new DistributedLockAdvisor("", DistributedLockAdvisor.DEFAULT_ORDER);
        advisor.setAdvice(new DistributedLockAspect(new LockSpecs(text -> text), () -> registry));
        ProxyFactory factory = new ProxyFactory(target);
        factory.addAdvisor(advisor);
        return (FlowCollector<T>) factory.getProxy();
    }

    static class Collector implements FlowCollector<String> {

        private final List<Continuation<? super Unit>> suspended = new ArrayList<>();

        @Override
        @DistributedLock("#p0")
        public Object emit(String value, Continuation<? super Unit> continuation) {
            suspended.add(continuation);
            return IntrinsicsKt.getCOROUTINE_SUSPENDED();
        }

        void resume() {
            suspended.get(0).resumeWith(Unit.INSTANCE);
        }
    }

    static class TakesHandle implements FlowCollector<LockHandle> {

        private final List<LockHandle> handles = new CopyOnWriteArrayList<>();

        @Override
        @DistributedLock("'a'")
        public Object emit(LockHandle handle, Continuation<? super Unit> continuation) {
            handles.add(handle);
            return Unit.INSTANCE;
        }
    }

    static class WithFallback extends Collector {

        @Override
        @DistributedLock(key = "#p0", fallbackMethod = "instead")
        public Object emit(String value, Continuation<? super Unit> continuation) {
            throw new AssertionError("the body ran");
        }
    }

    static class WithUnknownName extends Collector {

        @Override
        @DistributedLock("#valu")
        public Object emit(String value, Continuation<? super Unit> continuation) {
            throw new AssertionError("the body ran");
        }
    }

    /** The coroutine that called. */
    private static final class Caller implements Continuation<Unit> {

        private final List<Object> results = new CopyOnWriteArrayList<>();

        @Override
        public CoroutineContext getContext() {
            return Dispatchers.getUnconfined();
        }

        @Override
        public synchronized void resumeWith(Object result) {
            results.add(result);
        }

        private synchronized Throwable failure() {
            return ((Result.Failure) results.get(0)).exception;
        }
    }
}
