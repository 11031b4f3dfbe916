package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockLostException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.invocation.CallerContext;
import io.leasehold.aop.spec.LockSpecs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import kotlin.Result;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.flow.FlowCollector;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.framework.ProxyFactory;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.test.StepVerifier;

/** Locks are free immediately if their body did not run. The minimum hold time is for work that was done. */
@Timeout(20)
class UnusedLocksTests {

    private static final List<String> KEYS = List.of("a", "b");

    private final LockedBean<Work> bean = LockedBean.of(new Work());

    private final RecordingLocker locker = bean.locker();

    @Test
    void aBodyThatRanKeepsTheLocksForTheMinimumHoldTime() {
        bean.proxy().value(KEYS);
        assertThat(bean.proxy().stage(List.of("c"), () -> CompletableFuture.completedFuture("done")))
                .isCompletedWithValue("done");
        StepVerifier.create(bean.proxy().mono(List.of("d"))).expectNext("done").verifyComplete();
        StepVerifier.create(bean.proxy().flux(List.of("e"))).expectNext("done").verifyComplete();
        assertThat(List.of("a", "b", "c", "d", "e")).noneMatch(this::isFree);
    }

    @Test
    void aBodyThatFailedKeepsTheLocksForTheMinimumHoldTime() {
        assertThat(bean.proxy().stage(KEYS, () -> {
                    throw new IllegalStateException("of the body");
                }))
                .isCompletedExceptionally();
        assertThat(isFree("a")).isFalse();
    }

    @Test
    void aCallThatMissesOneLockLeavesTheOthersFree() {
        locker.holdElsewhere("b");
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(() -> bean.proxy().value(KEYS));
        assertThat(isFree("a")).isTrue();
    }

    @Test
    void aStageThatMissesOneLockLeavesTheOthersFree() {
        locker.holdElsewhere("b");
        assertThat(bean.proxy().stage(KEYS, UnusedLocksTests::mustNotRun)).isCompletedExceptionally();
        assertThat(isFree("a")).isTrue();
    }

    @Test
    void aPublisherThatMissesOneLockLeavesTheOthersFree() {
        locker.holdElsewhere("b");
        StepVerifier.create(bean.proxy().mono(KEYS)).verifyError(LockNotAcquiredException.class);
        assertThat(isFree("a")).isTrue();
        StepVerifier.create(bean.proxy().flux(List.of("b", "c"))).verifyError(LockNotAcquiredException.class);
        assertThat(isFree("c")).isTrue();
    }

    @Test
    void aSuspendingFunctionThatMissesOneLockLeavesTheOthersFree() {
        locker.holdElsewhere("b");
        Caller caller = new Caller();
        assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> {
            suspending().emit("a", caller);
            throw caller.failure();
        });
        assertThat(isFree("a")).isTrue();
    }

    @Test
    void aStoreThatFailsLeavesTheOthersFree() {
        locker.beforeAnswer = () -> {
            if (locker.requests.size() == 2) {
                throw new LockBackendException("no answer", "default", "b", null);
            }
        };
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> bean.proxy().value(KEYS));
        assertThat(isFree("a")).isTrue();
    }

    @Test
    void anErrorOfOneReleaseKeepsNoOtherLock() {
        locker.holdElsewhere("c");
        locker.beforeAnswer = () -> {
            if (locker.requests.size() == 3) {
                locker.granted.get(1).errorOfRelease = new NoClassDefFoundError("of the driver");
            }
        };
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(() -> bean.proxy().value(List.of("a", "b", "c")));
        assertThat(isFree("a")).isTrue();
    }

    @Test
    void anErrorOfOneReleaseOfAStageKeepsNoOtherLock() {
        locker.holdElsewhere("c");
        locker.beforeAnswer = () -> {
            if (locker.requests.size() == 3) {
                locker.granted.get(1).errorOfRelease = new NoClassDefFoundError("of the driver");
            }
        };
        assertThat(bean.proxy().stage(List.of("a", "b", "c"), UnusedLocksTests::mustNotRun))
                .isCompletedExceptionally();
        assertThat(isFree("a")).isTrue();
    }

    @Test
    void anInterruptLeavesTheOthersFree() {
        locker.beforeAnswer = () -> {
            if (locker.requests.size() == 2) {
                throw new LockInterruptedException("default", "b");
            }
        };
        assertThatExceptionOfType(LockInterruptedException.class)
                .isThrownBy(() -> bean.proxy().value(KEYS));
        assertThat(isFree("a")).isTrue();
    }

    @Test
    void aLossBeforeTheBodyLeavesTheOthersFree() {
        loseTheFirstLockWithTheSecondRequest();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> bean.proxy().value(KEYS));
        assertThat(isFree("b")).isTrue();
    }

    @Test
    void aLossBeforeTheBodyOfAStageLeavesTheOthersFree() {
        loseTheFirstLockWithTheSecondRequest();
        assertThat(bean.proxy().stage(KEYS, UnusedLocksTests::mustNotRun)).isCompletedExceptionally();
        assertThat(isFree("b")).isTrue();
    }

    @Test
    void aLossBeforeTheBodyOfAPublisherLeavesTheOthersFree() {
        loseTheFirstLockWithTheSecondRequest();
        StepVerifier.create(bean.proxy().mono(KEYS)).verifyError(LockLostException.class);
        assertThat(isFree("b")).isTrue();
    }

    @Test
    void aStageThatEndsBeforeItsBodyLeavesTheLockFree() {
        List<Runnable> tasks = new ArrayList<>();
        LockedBean<Work> late = LockedBean.of(new Work(), new CallerContext(() -> tasks::add, task -> task));
        CompletableFuture<Optional<LockHandle>> answer = pendingAnswer(late);
        CompletableFuture<String> result = late.proxy().stage(List.of("a"), UnusedLocksTests::mustNotRun);
        grant(late, answer);
        result.cancel(true);
        tasks.forEach(Runnable::run);
        assertThat(late.locker().tryLock("a")).isPresent();
    }

    @Test
    void aContextThatCannotBeRestoredLeavesTheLockFree() {
        LockedBean<Work> broken = LockedBean.of(new Work(), new CallerContext(() -> Runnable::run, task -> () -> {
            throw new IllegalStateException("no context");
        }));
        CompletableFuture<Optional<LockHandle>> answer = pendingAnswer(broken);
        CompletableFuture<String> result = broken.proxy().stage(List.of("a"), UnusedLocksTests::mustNotRun);
        grant(broken, answer);
        assertThat(result).isCompletedExceptionally();
        assertThat(broken.locker().tryLock("a")).isPresent();
    }

    /** With a hook on each operator, as tracing agents have, Reactor discards the result of a cancelled callable. */
    @Test
    void aCancellationBeforeTheBodyOfAPublisherLeavesTheLockFree() {
        Hooks.onEachOperator("lift", Operators.lift((scannable, subscriber) -> subscriber));
        try {
            BaseSubscriber<String> subscriber = new BaseSubscriber<>() {};
            locker.beforeAnswer =
                    () -> CompletableFuture.runAsync(subscriber::cancel).join();
            bean.proxy().mono(List.of("a")).subscribe(subscriber);
            locker.beforeAnswer = () -> {};
            Awaitility.await().until(() -> isFree("a"));
        } finally {
            Hooks.resetOnEachOperator("lift");
        }
    }

    private void loseTheFirstLockWithTheSecondRequest() {
        locker.beforeAnswer = () -> {
            if (locker.requests.size() == 2) {
                locker.lose("a");
            }
        };
    }

    private boolean isFree(String key) {
        return locker.tryLock(key).isPresent();
    }

    private static CompletableFuture<Optional<LockHandle>> pendingAnswer(LockedBean<Work> bean) {
        CompletableFuture<Optional<LockHandle>> answer = new CompletableFuture<>();
        bean.locker().pending = answer;
        return answer;
    }

    private static void grant(LockedBean<Work> bean, CompletableFuture<Optional<LockHandle>> answer) {
        answer.complete(bean.locker().tryLock(bean.locker().requests.get(0)));
    }

    private static CompletableFuture<String> mustNotRun() {
        throw new AssertionError("the body ran");
    }

    @SuppressWarnings("unchecked")
    private FlowCollector<String> suspending() {
        DistributedLockAdvisor advisor = new DistributedLockAdvisor("", DistributedLockAdvisor.DEFAULT_ORDER);
        RecordingLockerRegistry registry = new RecordingLockerRegistry(locker);
        advisor.setAdvice(new DistributedLockAspect(new LockSpecs(text -> text), () -> registry));
        ProxyFactory factory = new ProxyFactory(new Suspending());
        factory.addAdvisor(advisor);
        return (FlowCollector<String>) factory.getProxy();
    }

    static class Work {

        @DistributedLock(key = "#keys", minHoldTime = "1m")
        public void value(List<String> keys) {}

        @DistributedLock(key = "#keys", minHoldTime = "1m")
        public CompletableFuture<String> stage(List<String> keys, Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @DistributedLock(key = "#keys", minHoldTime = "1m")
        public Mono<String> mono(List<String> keys) {
            return Mono.just("done");
        }

        @DistributedLock(key = "#keys", minHoldTime = "1m")
        public Flux<String> flux(List<String> keys) {
            return Flux.just("done");
        }
    }

    static class Suspending implements FlowCollector<String> {

        @Override
        @DistributedLock(key = "{#p0, 'b'}", minHoldTime = "1m")
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
        public void resumeWith(Object result) {
            results.add(result);
        }

        private Throwable failure() {
            return ((Result.Failure) results.get(0)).exception;
        }
    }
}
