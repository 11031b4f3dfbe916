package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The events that end an asynchronous acquisition, and those that no longer change it after its end. */
class AsyncAcquisitionTests {

    private static final Duration LONG = Duration.ofHours(1);

    private final VirtualTime time = new VirtualTime();

    private final ScriptedBackend backend = new ScriptedBackend();

    private final RecordingListener listener = new RecordingListener();

    /** Tasks that the executor has not run yet. */
    private final Deque<Runnable> queued = new ArrayDeque<>();

    private final LockEngine engine = time.engine(listener, queued::add);

    private final LeaseLocker locker = engine.locker(VirtualTime.settings("deploy"), "scripted", backend);

    @AfterEach
    void close() {
        time.close(engine);
    }

    @Test
    void theCommandTimeoutDoesNotReleaseAGrantOfTheSameMoment() {
        CompletableFuture<AcquireAnswer> answer = ScriptedBackend.never();
        backend.onAcquire = command -> answer;
        CompletableFuture<Optional<LockHandle>> result = ask(Duration.ZERO);
        answer.complete(new Granted(7));
        time.pass(Duration.ofSeconds(2));
        runQueued();
        assertThatItIsHeld(result);
    }

    @Test
    void aSignalThatArrivesAfterTheEndDoesNotReleaseTheGrant() {
        CompletableFuture<AcquireAnswer> answer = ScriptedBackend.never();
        backend.onAcquire = command -> answer;
        CompletableFuture<Optional<LockHandle>> result = ask(Duration.ZERO);
        Runnable signal = (Runnable) result;
        answer.complete(new Granted(7));
        signal.run();
        runQueued();
        signal.run();
        runQueued();
        assertThatItIsHeld(result);
    }

    @Test
    void aCallerThatCancelsBeforeTheEndIsDeliveredIsGivenNoLock() {
        CompletableFuture<AcquireAnswer> answer = ScriptedBackend.never();
        backend.onAcquire = command -> answer;
        CompletableFuture<Optional<LockHandle>> result = ask(Duration.ZERO);
        answer.complete(new Granted(7));
        assertThat(result.cancel(true)).isTrue();
        runQueued();
        assertThat(backend.released).hasSize(1);
        assertThat(locker.queues().all()).isEmpty();
    }

    @Test
    void theListenerOfACallerThatCancelledDoesNotRunOnTheThreadOfTheStore() {
        CompletableFuture<AcquireAnswer> answer = ScriptedBackend.never();
        backend.onAcquire = command -> answer;
        Deque<Runnable> events = new ArrayDeque<>();
        LockEngine own =
                time.engine(listener, time, time, new EngineExecutors(queued::add, Runnable::run, events::add));
        CompletableFuture<Optional<LockHandle>> result = own.locker(VirtualTime.settings("own"), "scripted", backend)
                .tryLockAsync(LockRequest.of("service").withWaitTime(Duration.ZERO))
                .toCompletableFuture();
        answer.complete(new Granted(7));
        result.cancel(true);
        assertThat(backend.released).hasSize(1);
        assertThat(listener.events).doesNotContain("released");
        events.forEach(Runnable::run);
        assertThat(listener.events).contains("released");
        time.close(own);
    }

    @Test
    void aCallerThatPollsLeavesNothingBehind() throws Exception {
        backend.onAcquire = command -> ScriptedBackend.never();
        CompletableFuture<Optional<LockHandle>> result = ask(LONG);
        for (int poll = 0; poll < 5; poll++) {
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> result.get(1, TimeUnit.MICROSECONDS));
        }
        assertThat(result.getNumberOfDependents()).isLessThan(2);
    }

    @Test
    void aCallerThatCancelsKeepsTheLockForNoMinimumTime() {
        CompletableFuture<AcquireAnswer> answer = ScriptedBackend.never();
        backend.onAcquire = command -> answer;
        LeaseLocker job =
                engine.locker(VirtualTime.settings("job").withMinHoldTime(Duration.ofSeconds(10)), "scripted", backend);
        CompletableFuture<Optional<LockHandle>> result = job.tryLockAsync(
                        LockRequest.of("report").withWaitTime(Duration.ZERO))
                .toCompletableFuture();
        answer.complete(new Granted(7));
        result.cancel(true);
        assertThat(backend.released)
                .hasSize(1)
                .allMatch(release -> release.retainFor().isZero());
    }

    @Test
    void aCallerThatCompletesTheFutureLeavesTheLocalQueueImmediately() {
        ask(Duration.ZERO);
        runQueued();
        CompletableFuture<Optional<LockHandle>> waiting = ask(LONG);
        assertThat(locker.status().waiters()).hasSize(1);
        waiting.complete(Optional.empty());
        assertThat(locker.status().waiters()).isEmpty();
        assertThat(locker.state().openCalls()).hasValue(0);
    }

    @Test
    void blockedExecutorsDoNotDelayTheCleanUp() {
        backend.onAcquire = command -> ScriptedBackend.never();
        CompletableFuture<Optional<LockHandle>> result = ask(Duration.ZERO);
        time.pass(Duration.ofSeconds(8));
        assertThat(result).isNotDone();
        assertThat(backend.released).isNotEmpty();
        assertThat(locker.queues().all()).isEmpty();
        assertThat(locker.state().openCalls()).hasValue(0);
        runQueued();
        assertThat(result).isCompletedExceptionally();
    }

    @Test
    void aCancelledCallerLeavesNoToken() {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(LONG, ScriptedBackend.never(), true));
        CompletableFuture<Optional<LockHandle>> result = ask(LONG);
        runQueued();
        assertThat(result.cancel(true)).isTrue();
        runQueued();
        time.pass(Duration.ZERO);
        assertThat(backend.released).hasSize(1);
        assertThat(locker.queues().all()).isEmpty();
        assertThat(listener.events).containsExactly("acquire INTERRUPTED");
    }

    @Test
    void aFutureThatItsCallerHasTimedOutIsGivenNoLock() {
        CompletableFuture<AcquireAnswer> answer = ScriptedBackend.never();
        backend.onAcquire = command -> answer;
        CompletableFuture<Optional<LockHandle>> result = ask(Duration.ZERO);
        result.completeExceptionally(new IllegalStateException("the caller's own timeout"));
        answer.complete(new Granted(7));
        runQueued();
        time.pass(Duration.ZERO);
        runQueued();
        assertThat(backend.released).hasSize(1);
        assertThat(locker.queues().all()).isEmpty();
    }

    @Test
    void aTimeoutOfTheCallerEndsTheAcquisitionImmediately() {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(LONG, ScriptedBackend.never(), true));
        CompletableFuture<Optional<LockHandle>> result = ask(LONG);
        IllegalStateException timeout = new IllegalStateException("the caller's own timeout");
        assertThat(result.completeExceptionally(timeout)).isTrue();
        assertThat(locker.queues().all()).isEmpty();
        assertThat(result.completeExceptionally(timeout)).isFalse();
        assertThat(locker.state().openCalls()).hasValue(0);
        time.pass(Duration.ZERO);
        assertThat(backend.released).hasSize(1);
    }

    @Test
    void aStepThatFailsIsReportedToTheListener() {
        IllegalStateException broken = new IllegalStateException("no timer");
        Scheduler failing = (task, delay) -> {
            throw broken;
        };
        LockEngine other = time.engine(listener, time, failing, VirtualTime.callersThread());
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(LONG));
        LeaseLocker without = other.locker(VirtualTime.settings("without"), "scripted", backend);
        assertThat(without.tryLockAsync(LockRequest.of("service").withWaitTime(LONG)))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCause(broken);
        assertThat(listener.events).containsExactly("acquire INTERRUPTED");
        assertThat(without.queues().all()).isEmpty();
        time.close(other);
    }

    /** One refusal that needs no answer, such as that of a circuit breaker, ends the wait of one caller after another. */
    @Test
    void aLongQueueOfCallersIsRefusedWithoutOverflowingTheStack() {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(LONG, ScriptedBackend.never(), false));
        List<CompletableFuture<Optional<LockHandle>>> results =
                IntStream.range(0, 20_000).mapToObj(i -> ask(LONG)).toList();
        backend.onAcquire = command ->
                CompletableFuture.failedFuture(new BackendFailure(Effect.REFUSED, "the breaker is open", null));
        time.pass(Duration.ofSeconds(1));
        runQueued();
        assertThat(results).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(locker.queues().all()).isEmpty();
    }

    @Test
    void aFutureThatItsCallerHasCompletedIsGivenNoLock() {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(LONG, ScriptedBackend.never(), false));
        CompletableFuture<Optional<LockHandle>> result = ask(LONG);
        runQueued();
        result.complete(Optional.empty());
        backend.onAcquire = command -> ScriptedBackend.done(new Granted(7));
        time.pass(Duration.ofSeconds(1));
        runQueued();
        time.pass(Duration.ZERO);
        assertThat(locker.status().held()).isEmpty();
        assertThat(locker.queues().all()).isEmpty();
    }

    private CompletableFuture<Optional<LockHandle>> ask(Duration waitTime) {
        return locker.tryLockAsync(LockRequest.of("service").withWaitTime(waitTime))
                .toCompletableFuture();
    }

    private void runQueued() {
        for (Runnable task = queued.poll(); task != null; task = queued.poll()) {
            task.run();
        }
    }

    private void assertThatItIsHeld(CompletableFuture<Optional<LockHandle>> result) {
        assertThat(result.getNow(Optional.empty()))
                .hasValueSatisfying(lock -> assertThat(lock.isHeld()).isTrue());
        time.pass(Duration.ofSeconds(1));
        assertThat(backend.released).isEmpty();
        assertThat(listener.events).containsExactly("acquire ACQUIRED");
    }
}
