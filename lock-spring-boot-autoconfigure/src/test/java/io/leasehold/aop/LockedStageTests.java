package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.leasehold.LockBackendException;
import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import io.leasehold.annotation.OnLost;
import io.leasehold.aop.invocation.CallerContext;
import io.leasehold.aop.spec.LockKeyException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Methods that return a CompletionStage. */
@Timeout(20)
class LockedStageTests {

    private final LockedBean<Work> bean = LockedBean.of(new Work());

    private final RecordingLocker locker = bean.locker();

    private final CompletableFuture<String> work = new CompletableFuture<>();

    @Test
    void aKeyThatCannotBeUsedFailsTheResult() {
        assertThat(failureOf(bean.proxy().future(" ", () -> work))).isInstanceOf(LockKeyException.class);
        assertThat(locker.requests).isEmpty();
    }

    @Test
    void aLostLockOfTheCallerFailsTheResult() throws Exception {
        LockHandle outer = locker.lock("a");
        outer.close();
        CompletableFuture<String> result =
                LockContext.call(outer, () -> bean.proxy().future("a", () -> work));
        assertThat(failureOf(result)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theLockIsHeldUntilTheStageCompletes() {
        CompletableFuture<String> result = bean.proxy().future("a", () -> work);
        assertThat(locker.isHeld("a")).isTrue();
        assertThat(result).isNotDone();
        work.complete("done");
        assertThat(result).isCompletedWithValue("done");
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void aCompletionStageIsCoveredToo() {
        CompletionStage<String> result = bean.proxy().stage("a", () -> work);
        assertThat(locker.isHeld("a")).isTrue();
        work.complete("done");
        assertThat(result.toCompletableFuture()).isCompletedWithValue("done");
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void theLockEndsWithAStageThatIsNoFuture() {
        NoFuture stage = new NoFuture();
        CompletionStage<String> result = bean.proxy().stage("a", () -> stage);
        assertThat(locker.isHeld("a")).isTrue();
        stage.complete("done");
        assertThat(result.toCompletableFuture()).isCompletedWithValue("done");
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void theLockEndsWithAStageThatCannotBecomeAFuture() {
        NoFuture stage = new NoFuture();
        stage.refusal = new IllegalStateException("not yet");
        CompletionStage<String> result = bean.proxy().stage("a", () -> stage);
        stage.complete("done");
        assertThat(result.toCompletableFuture()).isCompletedWithValue("done");
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void theLockEndsWithAStageThatThrowsAnErrorWhenItBecomesAFuture() {
        NoFuture stage = new NoFuture();
        stage.error = new NoClassDefFoundError("of the stage");
        CompletionStage<String> result = bean.proxy().stage("a", () -> stage);
        stage.complete("done");
        assertThat(result.toCompletableFuture()).isCompletedWithValue("done");
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void aStageThatCannotBeObservedFailsTheResultAndReleasesTheLock() {
        UnsupportedOperationException refusal = new UnsupportedOperationException("of the stage");
        CompletionStage<String> result = bean.proxy().stage("a", () -> new CompletableFuture<>() {
            @Override
            public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> action) {
                throw refusal;
            }
        });
        assertThat(failureOf(result.toCompletableFuture())).isSameAs(refusal);
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void theLockEndsWithAStageThatFailsToBeCancelled() {
        locker.pending = new CompletableFuture<>();
        AtomicReference<CompletableFuture<String>> result = new AtomicReference<>();
        CompletableFuture<String> stubborn = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                throw new IllegalStateException("of the stage");
            }
        };
        result.set(bean.proxy().future("a", () -> {
            result.get().cancel(true);
            return stubborn;
        }));
        locker.pending.complete(Optional.of(locker.grant("a")));
        stubborn.complete("done");
        org.awaitility.Awaitility.await().until(() -> !locker.isHeld("a"));
    }

    @Test
    void anErrorOfTheValueFailsTheResultAndReleasesTheLock() {
        NoFuture value = new NoFuture();
        value.error = new NoClassDefFoundError("of the value");
        CompletionStage<?> result = bean.proxy().any("a", () -> CompletableFuture.completedFuture(Optional.of(value)));
        assertThat(failureOf(result.toCompletableFuture())).isSameAs(value.error);
        assertThat(locker.isHeld("a")).isFalse();
    }

    /** The caller would otherwise wait for ever, and the lock be renewed for ever. */
    @Test
    void anErrorOfTheQuestionAtTheEndFailsTheResultAndReleasesTheLock() {
        CompletableFuture<String> result = bean.proxy().future("a", () -> work);
        locker.granted.get(0).brokenQuestion = new NoClassDefFoundError("of the driver");
        work.complete("done");
        assertThat(failureOf(result)).isInstanceOf(LockBackendException.class);
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void aKeyThatCannotBeShownWhileLocksAreTakenFailsTheResult() {
        AtomicInteger shown = new AtomicInteger();
        locker.visible = key -> {
            if (shown.incrementAndGet() == 4) {
                throw new IllegalStateException("no tenant is bound to this thread");
            }
            return key;
        };
        assertThat(failureOf(bean.proxy().all(List.of("a", "b"), () -> work))).hasMessageContaining("no tenant");
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void aLockerThatAnswersNothingFailsTheResult() {
        locker.pending = new CompletableFuture<>();
        CompletableFuture<String> result = bean.proxy().future("a", () -> work);
        locker.pending.complete(null);
        assertThat(failureOf(result)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void theLockEndsWithTheFailureOfTheStage() {
        CompletableFuture<String> result = bean.proxy().future("a", () -> work);
        IOException failure = new IOException("of the body");
        work.completeExceptionally(failure);
        assertThat(failureOf(result)).isSameAs(failure);
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void anExceptionInsteadOfAStageFailsTheResult() {
        IllegalStateException failure = new IllegalStateException("of the body");
        CompletableFuture<String> result = bean.proxy().future("a", () -> {
            throw failure;
        });
        assertThat(failureOf(result)).isSameAs(failure);
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void noStageAtAllFailsTheResult() {
        assertThat(failureOf(bean.proxy().future("a", () -> null))).hasMessageContaining("returned null");
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void theCallerIsNotBlockedWhileTheLockIsAwaited() {
        locker.pending = new CompletableFuture<>();
        CompletableFuture<String> result = bean.proxy().future("a", () -> work);
        assertThat(result).isNotDone();
        locker.pending.complete(Optional.of(locker.grant("a")));
        work.complete("done");
        assertThat(result).succeedsWithin(5, TimeUnit.SECONDS).isEqualTo("done");
    }

    /** A decorator of the application's executor may fail on the thread that brings the lock. */
    @Test
    void anExecutorThatFailsDoesNotKeepTheLock() {
        LockedBean<Work> failing = continuedBy(task -> {
            throw new IllegalStateException("no request is bound to this thread");
        });
        CompletableFuture<Optional<LockHandle>> answer = new CompletableFuture<>();
        failing.locker().pending = answer;
        CompletableFuture<String> result = failing.proxy().future("a", () -> CompletableFuture.completedFuture("done"));
        answer.complete(Optional.of(failing.locker().grant("a")));
        assertThat(result).isCompletedWithValue("done");
        assertThat(failing.locker().isHeld("a")).isFalse();
    }

    @Test
    void anExecutorThatDropsItsTasksKeepsNoLockAfterATimeout() {
        LockedBean<Work> dropping = continuedBy(task -> {});
        CompletableFuture<Optional<LockHandle>> answer = new CompletableFuture<>();
        dropping.locker().pending = answer;
        CompletableFuture<String> result = dropping.proxy().future("a", () -> work);
        answer.complete(Optional.of(dropping.locker().grant("a")));
        assertThat(dropping.locker().isHeld("a")).isTrue();
        result.completeExceptionally(new TimeoutException());
        assertThat(dropping.locker().isHeld("a")).isFalse();
    }

    @Test
    void theBodyDoesNotRunUnderALockThatWasLostBefore() {
        List<Runnable> tasks = new ArrayList<>();
        LockedBean<Work> late = continuedBy(tasks::add);
        CompletableFuture<Optional<LockHandle>> answer = new CompletableFuture<>();
        late.locker().pending = answer;
        AtomicBoolean ran = new AtomicBoolean();
        CompletableFuture<String> result = late.proxy().future("a", () -> {
            ran.set(true);
            return work;
        });
        answer.complete(Optional.of(late.locker().grant("a")));
        late.locker().lose("a");
        tasks.forEach(Runnable::run);
        assertThat(failureOf(result)).isInstanceOf(LockLostException.class);
        assertThat(ran).isFalse();
    }

    private static LockedBean<Work> continuedBy(Executor executor) {
        return LockedBean.of(new Work(), new CallerContext(() -> executor, task -> task));
    }

    @Test
    void theBodyDoesNotRunOnTheThreadThatBringsTheLock() throws Exception {
        locker.pending = new CompletableFuture<>();
        CompletableFuture<String> result = bean.proxy()
                .future(
                        "a",
                        () -> CompletableFuture.completedFuture(
                                Thread.currentThread().getName()));
        Thread library = new Thread(() -> locker.pending.complete(Optional.of(locker.grant("a"))), "of-the-library");
        library.start();
        library.join();
        assertThat(result.get(5, TimeUnit.SECONDS)).isNotEqualTo("of-the-library");
    }

    @Test
    void cancellingTheResultGivesUpTheWait() {
        locker.pending = new CompletableFuture<>();
        CompletableFuture<String> result = bean.proxy().future("a", this::mustNotRun);
        result.cancel(true);
        assertThat(locker.pending).isCancelled();
    }

    /** As {@code orTimeout} and the time limiter of Resilience4j do. */
    @Test
    void aCallerThatCompletesTheResultGivesUpTheWait() {
        locker.pending = new CompletableFuture<>();
        bean.proxy().future("a", this::mustNotRun).completeExceptionally(new TimeoutException());
        assertThat(locker.pending).isCancelled();
    }

    @Test
    void aBodyWhoseCallerNoLongerWaitsKeepsItsLock() {
        CompletableFuture<String> result = bean.proxy().future("a", () -> work);
        result.completeExceptionally(new TimeoutException());
        assertThat(work).isNotDone();
        assertThat(locker.isHeld("a")).isTrue();
        work.complete("done");
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void aLockThatIsGrantedAfterTheCancellationIsGivenBack() {
        CompletableFuture<Optional<LockHandle>> stubborn = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                return false;
            }
        };
        locker.pending = stubborn;
        bean.proxy().future("a", this::mustNotRun).cancel(true);
        RecordingHandle late = locker.grant("a");
        stubborn.complete(Optional.of(late));
        org.awaitility.Awaitility.await().until(() -> late.releases() == 1);
    }

    @Test
    void cancellingTheResultCancelsTheBodyAndEndsTheLock() {
        CompletableFuture<String> result = bean.proxy().future("a", () -> work);
        result.cancel(true);
        assertThat(work).isCancelled();
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void theBodyDoesNotRunWithoutTheLock() {
        locker.holdElsewhere("a");
        assertThat(failureOf(bean.proxy().future("a", this::mustNotRun))).isInstanceOf(LockNotAcquiredException.class);
    }

    @Test
    void theBodyDoesNotRunWhenTheStoreDoesNotAnswer() {
        locker.broken = new LockBackendException("down", "default", "a", null);
        assertThat(failureOf(bean.proxy().future("a", this::mustNotRun))).isSameAs(locker.broken);
    }

    @Test
    void aSkippedCallCompletesWithNull() {
        locker.holdElsewhere("a");
        assertThat(bean.proxy().skipped("a")).isCompletedWithValue(null);
    }

    @Test
    void aFallbackStandsIn() {
        locker.holdElsewhere("a");
        assertThat(bean.proxy().withFallback("a")).isCompletedWithValue("instead");
    }

    @Test
    void aLostLockFailsTheResult() {
        CompletableFuture<String> result = bean.proxy().future("a", () -> work);
        locker.lose("a");
        work.complete("done");
        assertThat(failureOf(result)).isInstanceOf(LockLostException.class);
    }

    @Test
    void aLockThatTheStoreHasToConfirmFailsTheResultAndIsReleased() {
        CompletableFuture<String> result = bean.proxy().future("a", () -> work);
        LockBackendException unconfirmed = new LockBackendException("not confirmed", "default", "a", null);
        locker.granted.get(0).unconfirmed = unconfirmed;
        work.complete("done");
        assertThat(failureOf(result)).isSameAs(unconfirmed);
        assertThat(locker.granted.get(0).releases()).isEqualTo(1);
    }

    @Test
    void theLossIsSuppressedUnderTheFailureOfTheBody() {
        CompletableFuture<String> result = bean.proxy().future("a", () -> work);
        locker.lose("a");
        work.completeExceptionally(new IOException("of the body"));
        assertThat(failureOf(result).getSuppressed()).singleElement().isInstanceOf(LockLostException.class);
    }

    @Test
    void aLossThatIsOnlyToldDoesNotFailTheResult() {
        CompletableFuture<String> result = bean.proxy().tolerant("a", () -> work);
        locker.lose("a");
        work.complete("done");
        assertThat(result).isCompletedWithValue("done");
    }

    @Test
    void aNestedCallToleratesTheLossAsItsOuterCallDoes() {
        CompletableFuture<String> result =
                bean.proxy().tolerant("a", () -> bean.proxy().future("a", () -> work));
        locker.lose("a");
        work.complete("done");
        assertThat(result).isCompletedWithValue("done");
    }

    @Test
    void aNestedCallThatBeginsAfterTheLossToleratesItAsItsOuterCallDoes() {
        CompletableFuture<String> result = bean.proxy()
                .tolerant(
                        "a",
                        () -> bean.proxy().future("a", () -> {
                            locker.lose("a");
                            return bean.proxy().future("a", () -> work);
                        }));
        work.complete("done");
        assertThat(result).isCompletedWithValue("done");
        assertThat(locker.requestedKeys()).containsExactly("a");
    }

    @Test
    void aNestedCallThatHasToWaitForAnotherLockToleratesTheLossAsItsOuterCallDoes() {
        LockedBean<Work> direct = continuedBy(Runnable::run);
        CompletableFuture<Optional<LockHandle>> answer = new CompletableFuture<>();
        CompletableFuture<String> result = direct.proxy().tolerant("a", () -> {
            direct.locker().pending = answer;
            return direct.proxy().all(List.of("a", "b"), () -> direct.proxy().future("a", () -> work));
        });
        direct.locker().lose("a");
        answer.complete(Optional.of(direct.locker().grant("b")));
        work.complete("done");
        assertThat(result).isCompletedWithValue("done");
    }

    @Test
    void aNestedCallToleratesOnlyTheLossOfTheLockThatItJoined() {
        CompletableFuture<String> result =
                bean.proxy().tolerant("a", () -> bean.proxy().all(List.of("a", "b"), () -> work));
        locker.lose("b");
        work.complete("done");
        assertThat(failureOf(result)).isInstanceOf(LockLostException.class);
    }

    @Test
    void aLossCancelsTheBodyWhereItWouldInterruptAThread() {
        CompletableFuture<String> result = bean.proxy().interrupted("a", () -> work);
        locker.lose("a");
        assertThat(failureOf(result)).isInstanceOf(LockLostException.class);
        assertThat(work).isCancelled();
    }

    @Test
    void aLossBeforeTheBodyReturnsItsStageCancelsTheStage() {
        LockedBean<Work> direct = continuedBy(Runnable::run);
        CompletableFuture<String> result = direct.proxy().interrupted("a", () -> {
            direct.locker().lose("a");
            return work;
        });
        assertThat(work).isCancelled();
        assertThat(failureOf(result)).isInstanceOf(LockLostException.class);
    }

    @Test
    void aLossInterruptsABodyThatHasNotReturnedItsStage() {
        AtomicBoolean interrupted = new AtomicBoolean();
        CompletableFuture<String> result = bean.proxy().interrupted("a", () -> {
            locker.lose("a");
            interrupted.set(Thread.currentThread().isInterrupted());
            return CompletableFuture.completedFuture("done");
        });
        assertThat(interrupted).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(failureOf(result)).isInstanceOf(LockLostException.class);
    }

    @Test
    void aLossAfterTheBodyHasReturnedItsStageInterruptsNoThread() {
        CompletableFuture<String> result = bean.proxy().interrupted("a", () -> work);
        locker.lose("a");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(failureOf(result)).isInstanceOf(LockLostException.class);
    }

    @Test
    void withoutThisChoiceALossInterruptsNoBody() {
        AtomicBoolean interrupted = new AtomicBoolean();
        CompletableFuture<String> result = bean.proxy().future("a", () -> {
            locker.lose("a");
            interrupted.set(Thread.currentThread().isInterrupted());
            return work;
        });
        work.complete("done");
        assertThat(interrupted).isFalse();
        assertThat(failureOf(result)).isInstanceOf(LockLostException.class);
    }

    @Test
    void aNestedCallJoins() {
        CompletableFuture<String> result =
                bean.proxy().future("a", () -> bean.proxy().future("a", () -> work));
        work.complete("done");
        assertThat(result).isCompletedWithValue("done");
        assertThat(locker.requests).hasSize(1);
    }

    @Test
    void workThatOutlivesTheLockThatItJoinedFailsLoudly() {
        AtomicReference<CompletableFuture<String>> result = new AtomicReference<>();
        locker.executeLocked("a", () -> result.set(bean.proxy().future("a", () -> work)));
        assertThat(locker.isHeld("a")).isFalse();
        work.complete("done");
        assertThat(failureOf(result.get()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("had joined");
    }

    @Test
    void severalKeysAreTakenTogether() {
        CompletableFuture<String> result = bean.proxy().all(List.of("b", "a", "b"), () -> work);
        assertThat(locker.requestedKeys()).containsExactly("a", "b");
        assertThat(locker.heldCount()).isEqualTo(2);
        work.complete("done");
        assertThat(result).isCompletedWithValue("done");
        assertThat(locker.heldCount()).isZero();
    }

    @Test
    void ofSeveralKeysNoneIsKeptIfOneIsHeldElsewhere() {
        locker.holdElsewhere("b");
        assertThat(failureOf(bean.proxy().all(List.of("a", "b"), this::mustNotRun)))
                .isInstanceOf(LockNotAcquiredException.class);
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void ofSeveralKeysNoneIsKeptIfAnErrorIsThrown() {
        locker.beforeAnswer = () -> {
            if (locker.requests.size() == 2) {
                throw new OutOfMemoryError("unable to create native thread");
            }
        };
        assertThat(failureOf(bean.proxy().all(List.of("a", "b"), this::mustNotRun)))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void ofSeveralKeysNoneIsKeptIfTheHolderCannotBeRead() {
        locker.holdElsewhere("b");
        locker.onNotAcquired = () -> {
            throw new IllegalStateException("no answer");
        };
        assertThat(failureOf(bean.proxy().all(List.of("a", "b"), this::mustNotRun)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void theHandleIsInTheArgumentsAndInTheContextOfTheBody() {
        assertThat(bean.proxy().withHandle("a", null).join()).isTrue();
    }

    private static Throwable failureOf(CompletableFuture<?> result) {
        Throwable thrown = catchThrowable(() -> result.get(5, TimeUnit.SECONDS));
        return thrown instanceof ExecutionException || thrown instanceof CompletionException
                ? thrown.getCause()
                : thrown;
    }

    private CompletableFuture<String> mustNotRun() {
        throw new AssertionError("the body ran");
    }

    /** A stage may refuse to be converted to a future. */
    static class NoFuture extends CompletableFuture<String> {

        private RuntimeException refusal = new UnsupportedOperationException();

        private @Nullable Error error;

        @Override
        public CompletableFuture<String> toCompletableFuture() {
            if (error != null) {
                throw error;
            }
            throw refusal;
        }
    }

    static class Work {

        @DistributedLock("#key")
        public CompletableFuture<String> future(String key, Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @DistributedLock("#key")
        public CompletionStage<String> stage(String key, Supplier<CompletionStage<String>> body) {
            return body.get();
        }

        @DistributedLock("#key")
        public CompletionStage<?> any(String key, Supplier<CompletionStage<?>> body) {
            return body.get();
        }

        @DistributedLock(key = "#key", onFailure = OnFailure.SKIP)
        public CompletableFuture<String> skipped(String key) {
            throw new AssertionError("the body ran");
        }

        @DistributedLock(key = "#key", fallbackMethod = "instead")
        public CompletableFuture<String> withFallback(String key) {
            throw new AssertionError("the body ran");
        }

        private CompletableFuture<String> instead(String key) {
            return CompletableFuture.completedFuture("instead");
        }

        @DistributedLock(key = "#key", onLost = OnLost.EVENT)
        public CompletableFuture<String> tolerant(String key, Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @DistributedLock(key = "#key", onLost = OnLost.INTERRUPT)
        public CompletableFuture<String> interrupted(String key, Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @DistributedLock("#keys")
        public CompletableFuture<String> all(List<String> keys, Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @DistributedLock("#key")
        public CompletableFuture<Boolean> withHandle(String key, LockHandle handle) {
            return CompletableFuture.completedFuture(
                    handle != null && LockContext.current().orElseThrow() == handle);
        }
    }
}
