package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** The first acquisitions of a locker, which open the connection to its store. */
class ConnectingTests extends EngineInVirtualTime {

    private final List<CompletableFuture<Void>> attempts = new ArrayList<>();

    private void connectSlowly() {
        backend.onConnect = () -> {
            CompletableFuture<Void> attempt = new CompletableFuture<>();
            attempts.add(attempt);
            return attempt;
        };
    }

    @Test
    void callersOfSeveralLocksShareOneAttempt() {
        connectSlowly();
        CompletableFuture<Optional<LockHandle>> one = waitFor("one", Duration.ofMinutes(1));
        CompletableFuture<Optional<LockHandle>> other = waitFor("other", Duration.ofMinutes(1));
        assertThat(attempts).hasSize(1);
        assertThat(backend.acquired).isEmpty();
        attempts.get(0).complete(null);
        assertThat(one.join()).isPresent();
        assertThat(other.join()).isPresent();
    }

    @Test
    void theCommandTimeoutDoesNotIncludeTheConnection() {
        connectSlowly();
        CompletableFuture<Optional<LockHandle>> caller = waitFor("one", Duration.ZERO);
        time.pass(Duration.ofSeconds(9));
        assertThat(caller).isNotDone();
        attempts.get(0).complete(null);
        assertThat(caller.join()).isPresent();
    }

    @Test
    void aConnectionThatIsNotOpenedInTimeFailsTheCaller() {
        connectSlowly();
        CompletableFuture<Optional<LockHandle>> caller = waitFor("one", Duration.ZERO);
        time.pass(Duration.ofSeconds(10));
        assertFailed(caller, "no connection to the store within 10 s");
        assertThat(backend.acquired).isEmpty();
        assertThat(locker.queues().all()).isEmpty();
    }

    /** As a server that accepts a connection and never answers. */
    @Test
    void aConnectionThatNeverOpensDoesNotKeepLaterCallersFromOpeningOne() {
        connectSlowly();
        CompletableFuture<Optional<LockHandle>> caller = waitFor("one", Duration.ZERO);
        time.pass(Duration.ofSeconds(10));
        assertFailed(caller, "no connection to the store within 10 s");
        assertThat(attempts.get(0)).isCancelled();
        caller = waitFor("one", Duration.ZERO);
        attempts.get(1).complete(null);
        assertThat(caller.join()).isPresent();
    }

    @Test
    void aRefusedConnectionIsTriedAgainWhileTimeIsLeft() {
        connectSlowly();
        CompletableFuture<Optional<LockHandle>> caller = waitFor("one", Duration.ofMinutes(1));
        attempts.get(0).completeExceptionally(new CompletionException(new IllegalStateException("refused")));
        assertThat(caller).isNotDone();
        time.pass(Duration.ofSeconds(5));
        assertThat(attempts).hasSize(2);
        attempts.get(1).complete(null);
        assertThat(caller.join()).isPresent();
    }

    @Test
    void theReasonOfARefusalIsTheCallers() {
        backend.onConnect = () -> {
            throw new IllegalStateException("refused");
        };
        assertFailed(waitFor("one", Duration.ZERO), "no connection to the store: ", "refused");
        backend.onConnect =
                () -> CompletableFuture.failedFuture(new BackendFailure(Effect.REFUSED, "the password is wrong", null));
        assertFailed(waitFor("one", Duration.ofMinutes(1)), "the password is wrong");
    }

    @Test
    void aRefusalIsFinalHoweverTheBackendWrapsIt() {
        BackendFailure refused = new BackendFailure(Effect.REFUSED, "the password is wrong", null);
        backend.onConnect = () -> CompletableFuture.failedFuture(new CompletionException(refused));
        assertFailed(waitFor("one", Duration.ofMinutes(1)), "the password is wrong");
    }

    /** A store of another maker may forget the result, or return a kind of stage that is no future. */
    @Test
    @SuppressWarnings("NullAway")
    void aStoreWithoutAResultIsAskedAgain() {
        backend.onConnect = () -> null;
        assertFailed(waitFor("one", Duration.ZERO), "no connection to the store: ");
        backend.onConnect = () -> CompletableFuture.completedFuture(null);
        assertThat(waitFor("one", Duration.ZERO).join()).isPresent();
    }

    @Test
    void theListenerIsNotifiedOfEachAttempt() {
        connectSlowly();
        waitFor("one", Duration.ofMinutes(1));
        attempts.get(0).completeExceptionally(new IllegalStateException("refused"));
        time.pass(Duration.ofSeconds(1));
        attempts.get(1).complete(null);
        assertThat(listener.connections).containsExactly(false, true);
    }

    /** A store ends its attempts when it is closed, after the listeners. */
    @Test
    void anAttemptThatEndsAfterTheStopIsNotReported() {
        connectSlowly();
        waitFor("one", Duration.ofMinutes(1));
        time.moveDuring(() -> engine.shutdown(Duration.ZERO));
        attempts.get(0).completeExceptionally(new IllegalStateException("closed"));
        assertThat(listener.connections).isEmpty();
    }

    @Test
    void aResumeConnectsAgain() {
        locker.lock("one").close();
        assertThat(listener.connections).hasSize(1);
        time.moveDuring(() -> engine.shutdown(Duration.ZERO));
        assertThat(locker.describe("one")).isCompleted();
        assertThat(listener.connections).hasSize(1);
        engine.resume();
        locker.lock("one").close();
        assertThat(listener.connections).hasSize(2);
    }

    private CompletableFuture<Optional<LockHandle>> waitFor(String key, Duration waitTime) {
        return locker.tryLockAsync(LockRequest.of(key).withWaitTime(waitTime)).toCompletableFuture();
    }

    private static void assertFailed(CompletableFuture<?> caller, String... reasons) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(caller::join)
                .havingCause()
                .isInstanceOf(LockBackendException.class)
                .withMessageContainingAll(reasons);
    }

    @Test
    void aQuestionThatGivesUpOnTheConnectionLetsTheNextOneBeginAnother() {
        connectSlowly();
        for (int question = 1; question <= 2; question++) {
            CompletableFuture<?> state = locker.describe("one").toCompletableFuture();
            time.pass(Duration.ofSeconds(10));
            assertThat(state).isCompletedExceptionally();
            assertThat(attempts).hasSize(question);
        }
    }
}
