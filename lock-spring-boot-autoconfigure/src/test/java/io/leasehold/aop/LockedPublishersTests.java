package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.hamcrest.Matchers.is;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import io.leasehold.annotation.OnLost;
import io.leasehold.aop.spec.LockKeyException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Methods that return a Mono or a Flux. */
@Timeout(30)
class LockedPublishersTests {

    private final LockedBean<Work> bean = LockedBean.of(new Work());

    private final RecordingLocker locker = bean.locker();

    private final Sinks.One<String> work = Sinks.one();

    @Test
    void aKeyThatCannotBeUsedIsSignalled() {
        StepVerifier.create(bean.proxy().mono(" ", Mono.just("a"))).verifyError(LockKeyException.class);
        StepVerifier.create(bean.proxy().flux(" ", Flux.just("a"))).verifyError(LockKeyException.class);
        assertThat(locker.requests).isEmpty();
    }

    @Test
    void nothingIsLockedBeforeTheSubscription() {
        bean.proxy().mono("a", work.asMono());
        assertThat(locker.requests).isEmpty();
    }

    @Test
    void aMonoIsLockedFromSubscriptionToCompletion() {
        StepVerifier.create(bean.proxy().mono("a", work.asMono()))
                .then(() -> assertThat(locker.isHeld("a")).isTrue())
                .then(() -> work.tryEmitValue("done"))
                .expectNext("done")
                .verifyComplete();
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void theLockOfAMonoIsReleasedBeforeItsValueGoesOn() {
        StepVerifier.create(bean.proxy().mono("a", Mono.just("done")).map(value -> locker.isHeld("a")))
                .expectNext(false)
                .verifyComplete();
    }

    @Test
    void whatTheBodyDoesAfterItsSignalIsNotLocked() {
        List<Boolean> held = new ArrayList<>();
        Runnable cleanUp = () -> held.add(locker.isHeld("a"));
        Mono<String> body = Mono.just("done");

        StepVerifier.create(bean.proxy().mono("a", body.doOnTerminate(cleanUp)).then())
                .verifyComplete();
        StepVerifier.create(bean.proxy()
                        .mono("a", Mono.usingWhen(body, Mono::just, resource -> Mono.fromRunnable(cleanUp)))
                        .then())
                .verifyComplete();
        assertThat(held).containsExactly(true, true);

        StepVerifier.create(bean.proxy()
                        .mono("a", body.doFinally(signal -> cleanUp.run()))
                        .then())
                .verifyComplete();
        StepVerifier.create(
                        bean.proxy().mono("a", body.doAfterTerminate(cleanUp)).then())
                .verifyComplete();
        assertThat(held).containsExactly(true, true, false, false);
    }

    @Test
    void theLockEndsWithTheErrorOfTheBody() {
        IOException failure = new IOException("of the body");
        StepVerifier.create(bean.proxy().mono("a", Mono.error(failure))).verifyErrorMatches(ex -> ex == failure);
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void theLockEndsWithTheCancellationOfTheSubscriber() {
        Disposable subscription = bean.proxy().mono("a", work.asMono()).subscribe();
        assertThat(locker.isHeld("a")).isTrue();
        subscription.dispose();
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void aFluxIsLockedFromSubscriptionToCompletion() {
        Sinks.Many<String> many = Sinks.many().unicast().onBackpressureBuffer();
        StepVerifier.create(bean.proxy().flux("a", many.asFlux()))
                .then(() -> many.tryEmitNext("1"))
                .expectNext("1")
                .then(() -> assertThat(locker.isHeld("a")).isTrue())
                .then(() -> many.tryEmitNext("2"))
                .expectNext("2")
                .then(many::tryEmitComplete)
                .verifyComplete();
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void theLockOfAFluxEndsWithTheCancellationOfTheSubscriber() {
        StepVerifier.create(bean.proxy().flux("a", Flux.just("1", "2", "3")), 1)
                .expectNext("1")
                .thenCancel()
                .verify();
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void eachSubscriptionTakesTheLockAndCallsTheMethodAnew() {
        Mono<Integer> counted = bean.proxy().counted("a");
        StepVerifier.create(counted).expectNext(1).verifyComplete();
        StepVerifier.create(counted).expectNext(2).verifyComplete();
        assertThat(locker.requests).hasSize(2);
    }

    @Test
    void aRetryTakesTheLockAnew() {
        StepVerifier.create(bean.proxy().failingOnce("a").retry(1))
                .expectNext("done")
                .verifyComplete();
        assertThat(locker.requests).hasSize(2);
        assertThat(locker.heldCount()).isZero();
    }

    @Test
    void theSubscriberIsNotBlockedWhileTheLockIsAwaited() {
        locker.pending = new CompletableFuture<>();
        StepVerifier.create(bean.proxy().mono("a", Mono.just("done")))
                .expectSubscription()
                .then(() -> locker.pending.complete(Optional.of(locker.grant("a"))))
                .expectNext("done")
                .verifyComplete();
    }

    @Test
    void theBodyDoesNotRunOnTheThreadThatBringsTheLock() throws Exception {
        locker.pending = new CompletableFuture<>();
        CompletableFuture<String> thread = bean.proxy().nameOfThread("a").toFuture();
        Thread library = new Thread(() -> locker.pending.complete(Optional.of(locker.grant("a"))), "of-the-library");
        library.start();
        assertThat(thread.get(5, TimeUnit.SECONDS)).isEqualTo("leasehold-subscriber");
    }

    @Test
    void callersThatBlockEachThreadOfBoundedElasticGetTheirLocks() {
        int threads = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;
        CountDownLatch together = new CountDownLatch(threads);
        locker.answering = ForkJoinPool.commonPool();
        Flux<String> calls = Flux.range(0, threads)
                .flatMap(
                        i -> Mono.fromCallable(() -> {
                                    together.countDown();
                                    // other tests may have left less than all threads
                                    together.await(2, TimeUnit.SECONDS);
                                    return bean.proxy()
                                            .mono("key" + i, Mono.just("done"))
                                            .block(Duration.ofSeconds(20));
                                })
                                .subscribeOn(Schedulers.boundedElastic()),
                        threads);
        assertThat(calls.collectList().block()).hasSize(threads);
    }

    @Test
    void cancellingGivesUpTheWait() {
        locker.pending = new CompletableFuture<>();
        bean.proxy().mono("a", work.asMono()).subscribe().dispose();
        assertThat(locker.pending).isCancelled();
    }

    @Test
    void aTimeoutGivesUpTheWait() {
        locker.pending = new CompletableFuture<>();
        // on a busy machine, a short time may end before the locker is asked
        Flux<Long> waiting = Flux.interval(Duration.ofMillis(1)).filter(tick -> !locker.requests.isEmpty());
        StepVerifier.create(bean.proxy().mono("a", work.asMono()).timeout(waiting.next()))
                .verifyError(java.util.concurrent.TimeoutException.class);
        // Reactor may leave the cancellation to the thread that subscribes
        Awaitility.await().until(locker.pending::isCancelled);
    }

    @Test
    void whenCancellationMeetsTheGrantNoLockIsLeft() {
        for (int i = 0; i < 500; i++) {
            CompletableFuture<Optional<LockHandle>> answer = new CompletableFuture<>();
            locker.pending = answer;
            RecordingHandle handle = locker.grant("a");
            Disposable subscription = bean.proxy().mono("a", Mono.never()).subscribe();
            Schedulers.boundedElastic().schedule(() -> {
                if (!answer.complete(Optional.of(handle))) {
                    handle.release();
                }
            });
            for (int spin = ThreadLocalRandom.current().nextInt(2_000); spin > 0; spin--) {
                Thread.onSpinWait();
            }
            subscription.dispose();
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> !handle.isHeld());
        }
    }

    /** With a hook on each operator, as tracing agents have, Reactor discards the result of a cancelled callable. */
    @Test
    void aCancellationWhileTheLockIsAskedForLeavesNoLock() {
        Hooks.onEachOperator("lift", Operators.lift((scannable, subscriber) -> subscriber));
        try {
            BaseSubscriber<String> subscriber = new BaseSubscriber<>() {};
            locker.beforeAnswer =
                    () -> CompletableFuture.runAsync(subscriber::cancel).join();
            bean.proxy().mono("a", work.asMono()).subscribe(subscriber);
            assertThat(locker.requests).hasSize(1);
            Awaitility.await().until(() -> !locker.isHeld("a"));
        } finally {
            Hooks.resetOnEachOperator("lift");
        }
    }

    @Test
    void theBodyDoesNotRunWithoutTheLock() {
        locker.holdElsewhere("a");
        StepVerifier.create(bean.proxy().mustNotRun("a")).verifyError(LockNotAcquiredException.class);
    }

    @Test
    void theBodyDoesNotRunWhenTheStoreDoesNotAnswer() {
        locker.broken = new LockBackendException("down", "default", "a", null);
        StepVerifier.create(bean.proxy().mustNotRun("a")).verifyErrorMatches(ex -> ex == locker.broken);
    }

    @Test
    void aSkippedMonoIsEmpty() {
        locker.holdElsewhere("a");
        StepVerifier.create(bean.proxy().skippedMono("a")).verifyComplete();
    }

    @Test
    void aSkippedFluxIsEmpty() {
        locker.holdElsewhere("a");
        StepVerifier.create(bean.proxy().skippedFlux("a")).verifyComplete();
    }

    @Test
    void aFallbackStandsIn() {
        locker.holdElsewhere("a");
        StepVerifier.create(bean.proxy().withFallback("a"))
                .expectNext("instead")
                .verifyComplete();
    }

    @Test
    void aLostLockFailsAMonoThatHasItsValue() {
        StepVerifier.create(bean.proxy().mono("a", work.asMono()))
                .then(() -> locker.lose("a"))
                .then(() -> work.tryEmitValue("done"))
                .verifyError(LockLostException.class);
    }

    @Test
    void aLostLockFailsAFluxAtItsEnd() {
        Sinks.Many<String> many = Sinks.many().unicast().onBackpressureBuffer();
        StepVerifier.create(bean.proxy().flux("a", many.asFlux()))
                .then(() -> locker.lose("a"))
                .then(() -> many.tryEmitNext("1"))
                .expectNext("1")
                .then(many::tryEmitComplete)
                .verifyError(LockLostException.class);
    }

    @Test
    void theLossIsSuppressedUnderTheErrorOfTheBody() {
        StepVerifier.create(bean.proxy().mono("a", work.asMono()))
                .then(() -> locker.lose("a"))
                .then(() -> work.tryEmitError(new IOException("of the body")))
                .verifyErrorSatisfies(ex -> {
                    assertThat(ex).isInstanceOf(IOException.class);
                    assertThat(ex.getSuppressed()).hasAtLeastOneElementOfType(LockLostException.class);
                });
    }

    @Test
    void aLossThatIsOnlyToldDoesNotFail() {
        StepVerifier.create(bean.proxy().tolerant("a", work.asMono()))
                .then(() -> locker.lose("a"))
                .then(() -> work.tryEmitValue("done"))
                .expectNext("done")
                .verifyComplete();
    }

    @Test
    void aNestedCallToleratesTheLossAsItsOuterCallDoes() {
        StepVerifier.create(bean.proxy().tolerant("a", bean.proxy().mono("a", work.asMono())))
                .then(() -> locker.lose("a"))
                .then(() -> work.tryEmitValue("done"))
                .expectNext("done")
                .verifyComplete();
    }

    @Test
    void aNestedFluxToleratesTheLossAsItsOuterCallDoes() {
        Sinks.Many<String> many = Sinks.many().unicast().onBackpressureBuffer();
        StepVerifier.create(bean.proxy().tolerantFlux("a", bean.proxy().flux("a", many.asFlux())))
                .then(() -> locker.lose("a"))
                .then(() -> many.tryEmitNext("1"))
                .expectNext("1")
                .then(many::tryEmitComplete)
                .verifyComplete();
    }

    @Test
    void aNestedCallThatBeginsAfterTheLossToleratesItAsItsOuterCallDoes() {
        Mono<String> afterLoss = Mono.defer(() -> {
            locker.lose("a");
            return bean.proxy().mono("a", Mono.just("done"));
        });
        StepVerifier.create(bean.proxy().tolerant("a", bean.proxy().mono("a", afterLoss)))
                .expectNext("done")
                .verifyComplete();
        assertThat(locker.requestedKeys()).containsExactly("a");
    }

    @Test
    void aNestedCallToleratesOnlyTheLossOfTheLockThatItJoined() {
        StepVerifier.create(bean.proxy().tolerant("a", bean.proxy().all(List.of("a", "b"), work.asMono())))
                .then(() -> locker.lose("b"))
                .then(() -> work.tryEmitValue("done"))
                .verifyError(LockLostException.class);
    }

    @Test
    void aLossCancelsTheBodyWhereItWouldInterruptAThread() {
        AtomicInteger cancelled = new AtomicInteger();
        Mono<String> never = Mono.<String>never().doOnCancel(cancelled::incrementAndGet);
        StepVerifier.create(bean.proxy().interrupted("a", never))
                .then(() -> locker.lose("a"))
                .verifyError(LockLostException.class);
        Awaitility.await().untilAtomic(cancelled, is(1));
    }

    @Test
    void theHandleIsInTheReactorContext() {
        Mono<Long> fence = Mono.deferContextual(
                context -> Mono.just(context.get(LockHandle.class).fencingToken()));
        StepVerifier.create(bean.proxy().mono("a", fence))
                .expectNextMatches(this::isOfTheGrant)
                .verifyComplete();
    }

    @Test
    void theHandleIsInTheArguments() {
        StepVerifier.create(bean.proxy().withHandle("a", null))
                .expectNextMatches(this::isOfTheGrant)
                .verifyComplete();
    }

    private boolean isOfTheGrant(long fencingToken) {
        return locker.granted.get(0).fencingToken() == fencingToken;
    }

    @Test
    void aNestedCallJoinsByContextOnWhateverThread() {
        Mono<String> nested = Mono.just("x")
                .publishOn(Schedulers.boundedElastic())
                .flatMap(value -> bean.proxy().mono("a", Mono.just("done")));
        StepVerifier.create(bean.proxy().mono("a", nested)).expectNext("done").verifyComplete();
        assertThat(locker.requests).hasSize(1);
        assertThat(locker.granted.get(0).releases()).isEqualTo(1);
    }

    @Test
    void anotherSubscriberOnTheSameThreadDoesNotJoin() {
        Disposable first = bean.proxy().mono("a", work.asMono()).subscribe();
        StepVerifier.create(bean.proxy().mono("a", Mono.just("second"))).verifyError(LockNotAcquiredException.class);
        first.dispose();
    }

    @Test
    void severalKeysAreTakenTogether() {
        StepVerifier.create(bean.proxy().all(List.of("b", "a"), work.asMono()))
                .then(() -> assertThat(locker.heldCount()).isEqualTo(2))
                .then(() -> work.tryEmitValue("done"))
                .expectNext("done")
                .verifyComplete();
        assertThat(locker.requestedKeys()).containsExactly("a", "b");
        assertThat(locker.heldCount()).isZero();
    }

    @Test
    void anErrorOfTheJvmThatTheMethodThrowsEndsTheLock() {
        assertThatExceptionOfType(NoClassDefFoundError.class)
                .isThrownBy(() -> bean.proxy().unlinkedMono("a").block());
        assertThat(locker.isHeld("a")).isFalse();
        assertThatExceptionOfType(NoClassDefFoundError.class)
                .isThrownBy(() -> bean.proxy().unlinkedFlux("a").blockLast());
        assertThat(locker.isHeld("a")).isFalse();
    }

    /** Reactor throws it through its operators, without a signal. */
    @Test
    void aLinkageErrorOfAnOperatorEndsTheLock() {
        Mono<String> unlinked = Mono.fromCallable(() -> {
            throw new NoClassDefFoundError("absent");
        });
        assertThatExceptionOfType(NoClassDefFoundError.class)
                .isThrownBy(() -> bean.proxy().mono("a", unlinked).block());
        assertThat(locker.isHeld("a")).isFalse();
        assertThatExceptionOfType(NoClassDefFoundError.class)
                .isThrownBy(() -> bean.proxy().flux("a", unlinked.flux()).blockLast());
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void aLinkageErrorOfALaterOperatorEndsTheLock() {
        Sinks.Many<String> many = Sinks.many().unicast().onBackpressureBuffer();
        Flux<String> flux = bean.proxy().flux("a", many.asFlux()).map(value -> {
            throw new NoClassDefFoundError("absent");
        });
        StepVerifier.create(flux).then(() -> many.tryEmitNext("1")).verifyError(NoClassDefFoundError.class);
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void aFallbackIsCalledIfALockOfTheCallerHasToBeConfirmed() {
        Mono<String> nested = Mono.defer(() -> {
            locker.granted.get(0).unconfirmed = new LockBackendException("not confirmed", "default", "a", null);
            return bean.proxy()
                    .withFallbackForTheStore("a")
                    .doOnNext(instead -> locker.granted.get(0).unconfirmed = null);
        });
        StepVerifier.create(bean.proxy().mono("a", nested))
                .expectNext("instead")
                .verifyComplete();
    }

    static class Work {

        private final AtomicInteger calls = new AtomicInteger();

        @DistributedLock("#key")
        public <T> Mono<T> mono(String key, Mono<T> body) {
            return body;
        }

        @DistributedLock("#key")
        public <T> Flux<T> flux(String key, Flux<T> body) {
            return body;
        }

        @DistributedLock("#key")
        public Mono<Integer> counted(String key) {
            return Mono.just(calls.incrementAndGet());
        }

        @DistributedLock("#key")
        public Mono<String> failingOnce(String key) {
            return calls.incrementAndGet() == 1 ? Mono.error(new IOException("first")) : Mono.just("done");
        }

        @DistributedLock("#key")
        public Mono<String> nameOfThread(String key) {
            return Mono.just(Thread.currentThread().getName());
        }

        @DistributedLock("#key")
        public Mono<String> mustNotRun(String key) {
            throw new AssertionError("the body ran");
        }

        @DistributedLock(key = "#key", onFailure = OnFailure.SKIP)
        public Mono<String> skippedMono(String key) {
            throw new AssertionError("the body ran");
        }

        @DistributedLock(key = "#key", onFailure = OnFailure.SKIP)
        public Flux<String> skippedFlux(String key) {
            throw new AssertionError("the body ran");
        }

        @DistributedLock(key = "#key", fallbackMethod = "instead")
        public Mono<String> withFallback(String key) {
            throw new AssertionError("the body ran");
        }

        @DistributedLock("#key")
        public Mono<String> unlinkedMono(String key) {
            throw new NoClassDefFoundError("absent");
        }

        @DistributedLock("#key")
        public Flux<String> unlinkedFlux(String key) {
            throw new NoClassDefFoundError("absent");
        }

        @DistributedLock(key = "#key", fallbackMethod = "insteadOfStore")
        public Mono<String> withFallbackForTheStore(String key) {
            throw new AssertionError("the body ran");
        }

        private Mono<String> insteadOfStore(String key, LockBackendException failure) {
            return Mono.just("instead");
        }

        private Mono<String> instead(String key) {
            return Mono.just("instead");
        }

        @DistributedLock(key = "#key", onLost = OnLost.EVENT)
        public Mono<String> tolerant(String key, Mono<String> body) {
            return body;
        }

        @DistributedLock(key = "#key", onLost = OnLost.EVENT)
        public Flux<String> tolerantFlux(String key, Flux<String> body) {
            return body;
        }

        @DistributedLock(key = "#key", onLost = OnLost.INTERRUPT)
        public Mono<String> interrupted(String key, Mono<String> body) {
            return body;
        }

        @DistributedLock("#key")
        public Mono<Long> withHandle(String key, LockHandle handle) {
            return Mono.just(handle.fencingToken());
        }

        @DistributedLock("#keys")
        public Mono<String> all(List<String> keys, Mono<String> body) {
            return body;
        }
    }
}
