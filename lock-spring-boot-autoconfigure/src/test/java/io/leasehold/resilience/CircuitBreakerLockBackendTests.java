package io.leasehold.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.event.CircuitBreakerEvent;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts as a failure of the store, and what goes on while the breaker is open; in virtual time. */
class CircuitBreakerLockBackendTests {

    private static final LockId ID = LockId.of("deploy", "a");

    private static final Token TOKEN = new Token(1, 2);

    private static final Duration TTL = Duration.ofSeconds(30);

    private static final Duration OPEN_FOR = Duration.ofSeconds(5);

    private final VirtualClock clock = new VirtualClock();

    private final CircuitBreaker breaker = CircuitBreaker.of(
            "lock-deploy",
            CircuitBreakerConfig.custom()
                    .clock(clock)
                    .currentTimestampFunction(Clock::millis, TimeUnit.MILLISECONDS)
                    .slidingWindowSize(4)
                    .minimumNumberOfCalls(4)
                    .failureRateThreshold(50)
                    .waitDurationInOpenState(OPEN_FOR)
                    .permittedNumberOfCallsInHalfOpenState(1)
                    .build());

    private final FakeStore store = new FakeStore();

    private final CircuitBreakerLockBackend backend = counting(Runnable::run);

    private CircuitBreakerLockBackend counting(Executor executor) {
        return new CircuitBreakerLockBackend(store, breaker, CircuitBreakerLog.of("deploy", breaker, clock), executor);
    }

    /** They may block, and the store's answer arrives on a thread of its client. */
    @Test
    void theConsumersOfTheApplicationRunOnTheExecutor() {
        List<CircuitBreakerEvent> events = new ArrayList<>();
        breaker.getEventPublisher().onEvent(events::add);
        List<Runnable> later = new ArrayList<>();
        counting(later::add).acquire(new AcquireCommand(ID, TOKEN, TTL, 1, false));
        store.answer(new Granted(1));
        assertThat(events).isEmpty();
        later.forEach(Runnable::run);
        assertThat(events).hasSize(1);
    }

    /** An attempt after a wait begins on the thread of the engine's timer, which renews the locks. */
    @Test
    void anOpenOneIsAskedOnTheExecutor() {
        open();
        List<CircuitBreakerEvent> events = new ArrayList<>();
        breaker.getEventPublisher().onEvent(events::add);
        List<Runnable> later = new ArrayList<>();
        CircuitBreakerLockBackend asking = counting(later::add);
        CompletableFuture<AcquireAnswer> refused = asking.acquire(command()).toCompletableFuture();
        CompletableFuture<Void> unconnected = asking.connect().toCompletableFuture();
        assertThat(events).isEmpty();
        assertThat(refused).isNotDone();
        later.forEach(Runnable::run);
        assertThat(events).hasSize(2);
        assertThat(refused).isCompletedExceptionally();
        assertThat(unconnected).isCompletedExceptionally();
    }

    @Test
    void oneThatIsSwitchedOffIsNotAsked() {
        breaker.transitionToDisabledState();
        CompletableFuture<AcquireAnswer> answer =
                counting(task -> {}).acquire(command()).toCompletableFuture();
        store.answer(new Granted(1));
        assertThat(answer).isCompletedWithValue(new Granted(1));
    }

    @Test
    void aCallerWhoGivesUpBeforeItIsAskedTakesNoPermission() {
        open();
        clock.pass(OPEN_FOR.plusMillis(1));
        List<Runnable> later = new ArrayList<>();
        counting(later::add).acquire(command()).toCompletableFuture().cancel(true);
        store.asked.clear();
        later.forEach(Runnable::run);
        assertThat(store.asked).isEmpty();
        assertThat(acquire()).isNotDone();
        assertThat(store.asked).containsExactly("acquire");
    }

    /** As while the process may start no thread. The trial would otherwise be under way for ever. */
    @Test
    void aTrialThatCannotBeCountedOnTheExecutorIsCountedWhereItEnds() {
        open();
        clock.pass(OPEN_FOR.plusMillis(1));
        AtomicBoolean exhausted = new AtomicBoolean();
        CompletableFuture<AcquireAnswer> trial = counting(task -> {
                    if (exhausted.get()) {
                        throw new OutOfMemoryError("planted: unable to create native thread");
                    }
                    task.run();
                })
                .acquire(command())
                .toCompletableFuture();
        exhausted.set(true);
        store.answer(new Granted(1));
        assertThat(trial).isCompletedWithValue(new Granted(1));
        assertThat(breaker.getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void itOpensAtItsThresholdAndSaysWhyAndUntilWhen() {
        grant();
        grant();
        fail(Effect.UNKNOWN, "connection reset");
        assertThat(breaker.getState()).isEqualTo(State.CLOSED);
        fail(Effect.NOT_DONE, "no connection");

        assertThat(breaker.getState()).isEqualTo(State.OPEN);
        assertRefused("(last: no connection); it is tried again at 2026-01-01T00:00:05Z");
        assertThat(store.asked).hasSize(4);
    }

    @Test
    void theKeyOfOneCallerIsNotInTheExceptionsOfOthers() {
        for (int i = 0; i < 4; i++) {
            fail(Effect.UNKNOWN, "acquiring " + ID + " was not answered");
        }
        assertRefused("(last: acquiring a lock was not answered)");
    }

    @Test
    void renewalsAndReleasesAlwaysGoToTheStore() {
        open();
        store.asked.clear();

        backend.renew(List.of(new RenewCommand(ID, TOKEN, TTL)));
        backend.release(new ReleaseCommand(ID, TOKEN, Duration.ZERO));
        assertThat(store.asked).containsExactly("renew", "release");
    }

    @Test
    void afterItsTimeOneAcquisitionTriesTheStore() {
        open();
        clock.pass(OPEN_FOR.plusMillis(1));
        CompletableFuture<AcquireAnswer> trial = acquire();
        assertRefused("a first few acquisitions are trying it");

        store.answer(new Granted(1));
        assertThat(trial).isCompleted();
        assertThat(breaker.getState()).isEqualTo(State.CLOSED);
        grant();
    }

    @Test
    void aTrialThatFailsOpensItAgain() {
        open();
        clock.pass(OPEN_FOR.plusMillis(1));
        fail(Effect.UNKNOWN, "still down");
        assertRefused("(last: still down); it is tried again at 2026-01-01T00:00:10.001Z");
    }

    @Test
    void aTrialThatNobodyWantsAnyMoreLeavesRoomForTheNext() {
        open();
        clock.pass(OPEN_FOR.plusMillis(1));
        acquire().cancel(true);
        CompletableFuture<AcquireAnswer> next = acquire();
        assertThat(next).isNotDone();
    }

    /** The future of such a stage is a copy, whose end the stage itself does not see. */
    @Test
    void aCancelledTrialOfAMinimalStageLeavesRoomForTheNext() {
        store.minimal = true;
        open();
        clock.pass(OPEN_FOR.plusMillis(1));
        acquire().cancel(true);
        CompletableFuture<AcquireAnswer> next = acquire();
        assertThat(next).isNotDone();
    }

    /** The engine cancels it once a caller has waited for ten seconds. */
    @Test
    void aConnectionThatIsNotOpenedInTimeIsAFailure() {
        store.connection = new CompletableFuture<Void>().minimalCompletionStage();
        open();
        clock.pass(OPEN_FOR.plusMillis(1));
        backend.connect().toCompletableFuture().cancel(true);
        assertThat(breaker.getState()).isEqualTo(State.OPEN);
    }

    /** Its caller acquires as soon as it learns of the connection, which is all that one permission allows. */
    @Test
    void theAcquisitionThatFollowsAConnectionIsPermitted() {
        CompletableFuture<Void> connection = new CompletableFuture<>();
        store.connection = connection;
        open();
        clock.pass(OPEN_FOR.plusMillis(1));
        CompletableFuture<CompletableFuture<AcquireAnswer>> next =
                backend.connect().thenApply(connected -> acquire()).toCompletableFuture();
        connection.complete(null);
        assertThat(next.join()).isNotDone();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConnectionThatItsCallersGiveUpOnEndsInTheStore(boolean cancelled) {
        CompletableFuture<Void> connection = new CompletableFuture<>();
        store.connection = connection;
        CompletableFuture<Void> opened = backend.connect().toCompletableFuture();
        if (cancelled) {
            opened.cancel(true);
        } else {
            opened.completeExceptionally(new BackendFailure(Effect.NOT_DONE, "late", null));
        }
        assertThat(connection).isCompletedExceptionally();
        assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isOne();
    }

    @Test
    void aBusyLockIsNoFailure() {
        for (int i = 0; i < 10; i++) {
            acquire();
            store.answer(new Busy(TTL));
        }
        assertThat(breaker.getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void aStoreThatRefusesIsNotDown() {
        for (int i = 0; i < 10; i++) {
            fail(Effect.REFUSED, "NOPERM");
        }
        assertThat(breaker.getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void aCallerWhoGivesUpEarlyDoesNotCount() {
        for (int i = 0; i < 10; i++) {
            CompletableFuture<AcquireAnswer> answer = acquire();
            clock.pass(Duration.ofMillis(499));
            answer.cancel(true);
        }
        assertThat(breaker.getMetrics().getNumberOfBufferedCalls()).isZero();
    }

    @Test
    void anAnswerThatDoesNotComeInTimeIsAFailure() {
        for (int i = 0; i < 4; i++) {
            CompletableFuture<AcquireAnswer> answer = acquire();
            clock.pass(Duration.ofMillis(1000));
            answer.cancel(true);
        }
        assertRefused("(last: no answer within the command timeout)");
    }

    /** As with a ttl in an annotation that is shorter than that of the locker. */
    @Test
    void anAcquisitionWithAShorterTimeoutThanThatOfTheLockerIsAFailureToo() {
        AcquireCommand command = new AcquireCommand(ID, TOKEN, TTL, 1, true, Duration.ofMillis(333));
        for (int i = 0; i < 4; i++) {
            CompletableFuture<AcquireAnswer> answer = backend.acquire(command).toCompletableFuture();
            clock.pass(Duration.ofMillis(333));
            answer.cancel(true);
        }
        assertRefused("(last: no answer within the command timeout)");
    }

    @Test
    void aStoreThatCannotBeConnectedToOpensIt() {
        store.connection = CompletableFuture.failedFuture(new BackendFailure(Effect.NOT_DONE, "refused", null));
        for (int i = 0; i < 4; i++) {
            assertThat(backend.connect().toCompletableFuture()).isCompletedExceptionally();
        }
        assertThat(breaker.getState()).isEqualTo(State.OPEN);
        assertThat(backend.connect().toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("(last: refused)");
        assertThat(store.asked).hasSize(4).containsOnly("connect");
    }

    @Test
    void aConnectionThatWasOpenedSaysNothingOfTheStoresAnswers() {
        open();
        clock.pass(OPEN_FOR.plusMillis(1));
        assertThat(backend.connect().toCompletableFuture()).isCompleted();
        assertThat(breaker.getState()).isEqualTo(State.HALF_OPEN);
        grant();
        assertThat(breaker.getState()).isEqualTo(State.CLOSED);
    }

    /** The trial would otherwise be under way for ever, and no other be permitted. */
    @Test
    void anErrorOfTheClientEndsATrial() {
        open();
        clock.pass(OPEN_FOR.plusMillis(1));
        store.error = new NoClassDefFoundError("of the client");
        assertThat(acquire())
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isSameAs(store.error);
        assertThat(breaker.getState()).isEqualTo(State.OPEN);
    }

    @Test
    void aBreakerThatWasOpenedByHandSaysSo() {
        breaker.transitionToForcedOpenState();
        assertRefused("it was opened by hand");
        breaker.transitionToClosedState();
        grant();
    }

    private void open() {
        for (int i = 0; i < 4; i++) {
            fail(Effect.UNKNOWN, "down");
        }
        assertThat(breaker.getState()).isEqualTo(State.OPEN);
    }

    private void grant() {
        CompletableFuture<AcquireAnswer> answer = acquire();
        store.answer(new Granted(1));
        assertThat(answer).isCompletedWithValue(new Granted(1));
    }

    private void fail(Effect effect, String message) {
        acquire();
        store.fail(new BackendFailure(effect, message, null));
    }

    private void assertRefused(String text) {
        assertThat(acquire())
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOfSatisfying(
                        BackendFailure.class,
                        failure -> assertThat(failure.effect()).isEqualTo(Effect.REFUSED))
                .withMessageContaining("circuit breaker of locker 'deploy' is open")
                .withMessageContaining(text);
    }

    private CompletableFuture<AcquireAnswer> acquire() {
        return backend.acquire(command()).toCompletableFuture();
    }

    private static AcquireCommand command() {
        return new AcquireCommand(ID, TOKEN, TTL, 1, true, Duration.ofSeconds(1));
    }
}
