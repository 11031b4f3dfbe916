package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How an engine ends: who is waited for, who is told, what is left. */
class ShutdownTests extends EngineInVirtualTime {

    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void holdersAreWaitedFor() {
        LockHandle lock = locker.lock("service");
        CompletableFuture<Boolean> finished = CompletableFuture.supplyAsync(() -> engine.shutdown(LONG));
        await().atMost(LONG).until(locker::stopped);
        assertThat(finished).isNotDone();
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.release()).isTrue();
        assertThat(finished).succeedsWithin(LONG).isEqualTo(true);
        assertThat(listener.events).containsExactly("acquire ACQUIRED", "released");
    }

    @Test
    void withoutHoldersThereIsNothingToWaitFor() {
        locker.lock("service").close();
        assertThat(CompletableFuture.supplyAsync(() -> engine.shutdown(Duration.ofHours(1))))
                .succeedsWithin(LONG)
                .isEqualTo(true);
    }

    @Test
    void whoHasNotBeenAnsweredYetIsNoHolder() {
        backend.onAcquire = command -> ScriptedBackend.never();
        CompletableFuture<Optional<LockHandle>> asked =
                locker.tryLockAsync(LockRequest.of("service")).toCompletableFuture();
        assertThat(CompletableFuture.supplyAsync(() -> engine.shutdown(Duration.ofHours(1))))
                .succeedsWithin(LONG)
                .isEqualTo(true);
        assertThat(asked).isNotDone();
    }

    @Test
    void aStoreThatDoesNotAnswerIsNotWaitedForWithoutEnd() {
        locker.lock("service");
        backend.onRelease = command -> ScriptedBackend.never();
        assertThat(CompletableFuture.supplyAsync(() -> engine.shutdown(Duration.ZERO)))
                .succeedsWithin(LONG)
                .isEqualTo(false);
        assertThat(locker.status().pendingRemovals()).isOne();
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() {
        LockHandle lock = locker.lock("service");
        Thread.currentThread().interrupt();
        assertThat(engine.shutdown(Duration.ofHours(1))).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(lock.isHeld()).isFalse();
        assertThat(listener.events).endsWith("lost SHUTDOWN");
    }

    @Test
    void anUninterruptedShutdownLeavesTheFlagAlone() {
        engine.shutdown(Duration.ZERO);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aClosedEngineTakesWhatIsHeldAndGrantsNothing() {
        LockHandle lock = locker.lock("service");
        engine.close();
        assertThat(lock.isHeld()).isFalse();
        assertThat(listener.events).endsWith("lost SHUTDOWN");
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> locker.tryLock("service"))
                .withMessageContainingAll("'service'", "'deploy'", "shut down");
    }

    @Test
    void whoWaitsForTheStoreIsToldAtOnce() {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(LONG, ScriptedBackend.never(), true));
        CompletableFuture<Optional<LockHandle>> waiting = locker.tryLockAsync(
                        LockRequest.of("service").withWaitTime(LONG))
                .toCompletableFuture();
        assertThat(locker.status().waiting()).isOne();
        engine.shutdown(Duration.ZERO);
        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(LockBackendException.class)
                .withMessageContaining("being shut down");
        assertThat(locker.status().waiting()).isZero();
        time.pass(Duration.ZERO);
        assertThat(backend.released.get(0).token())
                .isEqualTo(backend.acquired.get(0).token());
    }

    @Test
    void aGrantThatArrivesDuringTheShutdownIsGivenBack() {
        CompletableFuture<AcquireAnswer> answer = ScriptedBackend.never();
        backend.onAcquire = command -> answer;
        CompletableFuture<Optional<LockHandle>> asked =
                locker.tryLockAsync(LockRequest.of("service")).toCompletableFuture();
        engine.shutdown(Duration.ZERO);
        assertThat(asked).isNotDone();
        answer.complete(new Granted(7));
        assertThat(asked.getNow(Optional.empty()))
                .get()
                .satisfies(lock -> assertThat(lock.isHeld()).isFalse());
        assertThat(listener.events).endsWith("lost SHUTDOWN");
        time.pass(Duration.ZERO);
        assertThat(backend.released).hasSize(1);
    }

    @Test
    void afterAResumeLocksAreGrantedAgain() {
        engine.shutdown(Duration.ZERO);
        engine.resume();
        assertThat(locker.tryLock("service")).isPresent();
        LeaseLocker made = engine.locker(VirtualTime.settings("made-after"), "scripted", backend);
        assertThat(made.tryLock("service")).isPresent();
    }
}
