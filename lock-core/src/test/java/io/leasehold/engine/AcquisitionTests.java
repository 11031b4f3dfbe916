package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcquisitionTests extends EngineInVirtualTime {

    @Test
    void aBusyLockIsAResultNotAnError() {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(Duration.ofSeconds(5)));
        assertThat(locker.tryLock("service")).isEmpty();
        assertThat(backend.acquired).hasSize(1);
        assertThat(backend.acquired.get(0).queueIfBusy()).isFalse();
        assertThat(listener.events).containsExactly("acquire TIMEOUT");
        assertThat(locker.queues().all()).isEmpty();
        assertThat(time.scheduled()).isZero();
    }

    @Test
    void aWaitingCallerRetriesUntilItsWaitTimeIsOver() {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(Duration.ofSeconds(5)));
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(2));
        time.pass(Duration.ofSeconds(2));
        assertThat(result).isCompletedWithValue(Optional.empty());
        assertThat(backend.acquired).hasSizeBetween(20, 200);
        assertThat(backend.acquired.stream().map(command -> command.token()).distinct())
                .hasSameSizeAs(backend.acquired);
    }

    /** As if each of three callers got one of three nodes. If all gave up, none would have the lock. */
    @Test
    void anUndecidedAnswerIsNoReasonToGiveUpAtTheEndOfTheWaitTime() {
        backend.onAcquire = command -> ScriptedBackend.done(Busy.undecided(Duration.ofSeconds(5)));
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ZERO);
        assertThat(result).isNotDone();
        backend.onAcquire = command -> ScriptedBackend.done(new Granted(7));
        time.pass(Duration.ofMillis(100));
        assertThat(result.getNow(Optional.empty())).isPresent();
        assertThat(backend.acquired).hasSize(2);
        assertThat(backend.acquired.get(0).token())
                .isNotEqualTo(backend.acquired.get(1).token());
    }

    @Test
    void afterAFewUndecidedAnswersTheLockIsBusy() {
        backend.onAcquire = command -> ScriptedBackend.done(Busy.undecided(Duration.ofSeconds(5)));
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ZERO);
        time.pass(Duration.ofSeconds(1));
        assertThat(result).isCompletedWithValue(Optional.empty());
        assertThat(backend.acquired).hasSize(6);
        assertThat(locker.queues().all()).isEmpty();
    }

    /** Another one has got it meanwhile. */
    @Test
    void aBusyAnswerAfterAnUndecidedOneIsTheEnd() {
        backend.onAcquire = command -> ScriptedBackend.done(Busy.undecided(Duration.ofSeconds(5)));
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ZERO);
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(Duration.ofSeconds(5)));
        time.pass(Duration.ofMillis(100));
        assertThat(result).isCompletedWithValue(Optional.empty());
        assertThat(backend.acquired).hasSize(2);
    }

    @Test
    void undecidedAnswersThatAreSlowEndWithTheCommandTimeout() {
        backend.onAcquire = command -> {
            CompletableFuture<AcquireAnswer> slow = new CompletableFuture<>();
            time.schedule(() -> slow.complete(Busy.undecided(Duration.ofSeconds(5))), 400_000_000L);
            return slow;
        };
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ZERO);
        time.pass(Duration.ofMillis(400 + 1000 + 400));
        assertThat(result).isCompletedWithValue(Optional.empty());
    }

    @Test
    void aWakeupEndsTheBackoff() {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(Duration.ofSeconds(5), turn, false));
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(2));
        backend.onAcquire = command -> ScriptedBackend.done(new Granted(7));
        turn.complete(null);
        assertThat(result.getNow(Optional.empty()))
                .hasValueSatisfying(lock -> assertThat(lock.fencingToken()).isEqualTo(7));
        assertThat(backend.acquired).hasSize(2);
        assertThat(time.scheduled()).isOne();
    }

    @Test
    void aGrantedAcquisitionCannotBeCancelled() {
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(2));
        assertThat(result.cancel(true)).isFalse();
        assertThat(result.getNow(Optional.empty()))
                .hasValueSatisfying(lock -> assertThat(lock.isHeld()).isTrue());
    }

    @Test
    void aTokenInTheStoresQueueRetriesAndIsReleasedWhenTheCallerGivesUp() {
        backend.onAcquire =
                command -> ScriptedBackend.done(new Busy(Duration.ofSeconds(5), ScriptedBackend.never(), true));
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(2));
        time.pass(Duration.ofSeconds(2));
        assertThat(result).isCompletedWithValue(Optional.empty());
        assertThat(backend.acquired.stream().map(command -> command.token()).distinct())
                .hasSize(1);
        time.pass(Duration.ZERO);
        assertThat(backend.released.get(0).token())
                .isEqualTo(backend.acquired.get(0).token());
    }

    @Test
    void aWakeupIsReliedOnForAsLongAsTheStoreSays() {
        Duration patience = Duration.ofMillis(1_500);
        backend.onAcquire = command ->
                ScriptedBackend.done(new Busy(Duration.ofSeconds(30), ScriptedBackend.never(), true, patience));
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(15));
        time.pass(Duration.ofSeconds(15));
        assertThat(result).isCompletedWithValue(Optional.empty());
        assertThat(backend.acquired).hasSizeBetween(11, 22);
    }

    @Test
    void aTokenInTheStoresQueueIsReleasedWhenTheStoreRefusesARetry() {
        backend.onAcquire =
                command -> ScriptedBackend.done(new Busy(Duration.ofSeconds(5), ScriptedBackend.never(), true));
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(2));
        backend.onAcquire =
                command -> CompletableFuture.failedFuture(new BackendFailure(Effect.REFUSED, "no permission", null));
        time.pass(Duration.ofSeconds(1));
        assertThat(result).isCompletedExceptionally();
        assertThat(backend.released).hasSize(1);
        assertThat(backend.released.get(0).token())
                .isEqualTo(backend.acquired.get(0).token());
    }

    @Test
    void anUnansweredAttemptIsAnErrorAndItsTokenIsRemoved() {
        backend.onAcquire =
                command -> CompletableFuture.failedFuture(new BackendFailure(Effect.UNKNOWN, "reset", null));
        assertThatThrownBy(() -> locker.tryLock("service"))
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("'service'")
                .hasMessageContaining("reset");
        time.pass(Duration.ZERO);
        assertThat(backend.released.get(0).token())
                .isEqualTo(backend.acquired.get(0).token());
        assertThat(locker.queues().all()).isEmpty();
    }

    @Test
    void aMissingTokenIsRemovedAgainUntilItsCommandCanNoLongerArrive() {
        backend.onAcquire = command -> CompletableFuture.failedFuture(new IllegalStateException("who knows"));
        backend.onRelease = command -> ScriptedBackend.done(ReleaseAnswer.NOT_OWNER);
        assertThatThrownBy(() -> locker.tryLock("service")).isInstanceOf(LockBackendException.class);
        time.pass(TTL.minusSeconds(1));
        assertThat(backend.released.size()).isBetween(8, 20);
        assertThat(time.scheduled()).isOne();
        time.pass(Duration.ofSeconds(1));
        assertThat(locker.status().pendingRemovals()).isZero();
        assertThat(time.scheduled()).isZero();
    }

    @Test
    void afterALongOutageAMissingTokenIsRemovedTwice() {
        backend.onAcquire = command -> ScriptedBackend.never();
        backend.onRelease = command -> ScriptedBackend.never();
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofMillis(10));
        time.pass(TTL.plusSeconds(5));
        assertThat(result).isCompletedExceptionally();

        backend.released.clear();
        backend.onRelease = command -> ScriptedBackend.done(ReleaseAnswer.NOT_OWNER);
        time.pass(Duration.ofSeconds(10));
        assertThat(backend.released).hasSize(2);
        assertThat(time.scheduled()).isZero();
    }

    @Test
    void aRefusedAttemptIsNotRepeatedAndLeavesNoTokenToRemove() {
        backend.onAcquire =
                command -> CompletableFuture.failedFuture(new BackendFailure(Effect.REFUSED, "WRONGTYPE", null));
        assertThat(waitFor(Duration.ofSeconds(10)))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(LockBackendException.class);
        time.pass(Duration.ofSeconds(10));
        assertThat(backend.acquired).hasSize(1);
        assertThat(backend.released).isEmpty();
    }

    @Test
    void aStoreThatRecoversWithinTheWaitTimeGrantsTheLock() {
        backend.onAcquire =
                command -> CompletableFuture.failedFuture(new BackendFailure(Effect.NOT_DONE, "LOADING", null));
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(5));
        time.pass(Duration.ofSeconds(2));
        assertThat(result).isNotDone();
        backend.onAcquire = command -> ScriptedBackend.done(new Granted(1));
        time.pass(Duration.ofSeconds(1));
        assertThat(result.getNow(Optional.empty())).isPresent();
        assertThat(backend.released).isEmpty();
    }

    @Test
    void aGrantThatArrivesAfterItsValidityIsNoGrant() {
        backend.onAcquire = command -> {
            time.freeze(Duration.ofSeconds(30));
            return ScriptedBackend.done(new Granted(1));
        };
        assertThatThrownBy(() -> locker.tryLock("service"))
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("too late");
        time.pass(Duration.ZERO);
        assertThat(backend.released).hasSize(1);
    }

    @Test
    void aCancelledAttemptLeavesNoToken() {
        backend.onAcquire = command -> ScriptedBackend.never();
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(5));
        assertThat(result.cancel(true)).isTrue();
        time.pass(Duration.ZERO);
        assertThat(backend.released.get(0).token())
                .isEqualTo(backend.acquired.get(0).token());
        assertThat(locker.queues().all()).isEmpty();
        assertThat(listener.events).containsExactly("acquire INTERRUPTED");
    }

    @Test
    void anInterruptedCallerKeepsItsFlagAndSendsNoRequest() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> locker.lock("service")).isInstanceOf(LockInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(backend.acquired).isEmpty();
    }

    @Test
    void withoutWaitTimeALockHeldByThisProcessIsBusyWithoutARequest() {
        LockHandle first = locker.lock("service");
        assertThat(locker.tryLock("service")).isEmpty();
        assertThat(backend.acquired).hasSize(1);
        first.close();
        assertThat(locker.tryLock("service")).isPresent();
    }

    @Test
    void theNextWaiterGetsTheLeaseWithAHigherFencingToken() {
        LockHandle first = locker.lock("service");
        CompletableFuture<Optional<LockHandle>> second = waitFor(Duration.ofSeconds(5));
        first.close();
        LockHandle handed = second.getNow(Optional.empty()).orElseThrow();
        assertThat(handed.fencingToken()).isGreaterThan(first.fencingToken());
        assertThat(handed.isHeld()).isTrue();
        assertThat(first.isHeld()).isFalse();
        assertThat(backend.acquired).hasSize(1);
        assertThat(backend.released).isEmpty();
        handed.close();
        assertThat(backend.released).hasSize(1);
        assertThat(locker.queues().all()).isEmpty();
    }

    @Test
    void aLeaseIsHandedOverALimitedNumberOfTimes() {
        LeaseLocker modest = engine.locker(VirtualTime.settings("modest").withMaxLocalHandoffs(2), "scripted", backend);
        LockHandle lock = modest.lock("service");
        for (int i = 0; i < 6; i++) {
            CompletableFuture<Optional<LockHandle>> next = modest.tryLockAsync(
                            LockRequest.of("service").withWaitTime(Duration.ofSeconds(5)))
                    .toCompletableFuture();
            lock.close();
            long before = lock.fencingToken();
            lock = next.getNow(Optional.empty()).orElseThrow();
            assertThat(lock.fencingToken()).isGreaterThan(before);
        }
        assertThat(backend.acquired).hasSize(3).allMatch(command -> command.fencingTokens() == 3);
    }

    @Test
    void aLeaseReservesTokensForTwiceTheHandOversOfTheLastOne() {
        LeaseLocker hot = engine.locker(VirtualTime.settings("hot").withMaxLocalHandoffs(255), "scripted", backend);
        LockHandle lock = hot.lock("service");
        List<CompletableFuture<Optional<LockHandle>>> waiters = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            waiters.add(waitFor(hot));
        }
        for (CompletableFuture<Optional<LockHandle>> next : waiters) {
            lock.close();
            lock = next.getNow(Optional.empty()).orElseThrow();
        }
        assertThat(backend.acquired)
                .extracting(AcquireCommand::fencingTokens)
                .containsExactly(8, 15, 29, 57, 113, 225, 256);
    }

    @Test
    void leasesThatEndAfterAFewHandOversReserveFewTokens() {
        LeaseLocker hot = engine.locker(VirtualTime.settings("hot").withMaxLocalHandoffs(255), "scripted", backend);
        LockHandle lock = hot.lock("service");
        for (int i = 0; i < 5; i++) {
            CompletableFuture<Optional<LockHandle>> handed = waitFor(hot);
            lock.close();
            time.pass(Duration.ofMillis(16));
            CompletableFuture<Optional<LockHandle>> asking = waitFor(hot);
            CompletableFuture<Optional<LockHandle>> behind = waitFor(hot);
            handed.join().orElseThrow().close();
            asking.join().orElseThrow().close();
            lock = behind.join().orElseThrow();
        }
        assertThat(backend.acquired).hasSizeGreaterThan(5).allMatch(command -> command.fencingTokens() == 8);
    }

    private static CompletableFuture<Optional<LockHandle>> waitFor(Locker locker) {
        return locker.tryLockAsync(LockRequest.of("service").withWaitTime(Duration.ofMinutes(1)))
                .toCompletableFuture();
    }

    @Test
    void aLeaseIsHandedOverForALimitedTime() {
        LockHandle first = locker.lock("service");
        CompletableFuture<Optional<LockHandle>> second = waitFor(Duration.ofSeconds(5));
        CompletableFuture<Optional<LockHandle>> third = waitFor(Duration.ofSeconds(5));
        time.pass(Duration.ofMillis(15));
        first.close();
        assertThat(backend.acquired).hasSize(1);
        time.pass(Duration.ofMillis(1));
        second.join().orElseThrow().close();
        third.join().orElseThrow().close();
        assertThat(backend.acquired).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"1, 16", "20, 40", "400, 100"})
    void theTimeForHandoffsStartsWithTheAnswerAndGrowsWithTheRoundTrip(long roundTrip, long run) {
        CompletableFuture<AcquireAnswer> reply = new CompletableFuture<>();
        backend.onAcquire = command -> reply;
        CompletableFuture<Optional<LockHandle>> first = waitFor(Duration.ofSeconds(5));
        time.pass(Duration.ofMillis(roundTrip));
        CompletableFuture<Optional<LockHandle>> second = waitFor(Duration.ofSeconds(5));
        CompletableFuture<Optional<LockHandle>> third = waitFor(Duration.ofSeconds(5));
        reply.complete(new Granted(1));
        time.pass(Duration.ofMillis(run - 1));
        first.join().orElseThrow().close();
        assertThat(second).isDone();
        time.pass(Duration.ofMillis(1));
        backend.onAcquire = command -> ScriptedBackend.done(new Granted(100));
        second.join().orElseThrow().close();
        assertThat(third.join().orElseThrow().fencingToken()).isEqualTo(100);
    }

    /** The last holder needed no renewal, since its maximum hold time was the ttl. */
    @Test
    void aLeaseThatIsHandedOverAfterItsRenewalWasDueIsRenewed() {
        Duration ttl = Duration.ofMillis(150);
        LeaseLocker brief =
                engine.locker(VirtualTime.settings("brief").withTtl(ttl).withMaxHoldTime(ttl), "scripted", backend);
        LockRequest request = LockRequest.of("service").withWaitTime(Duration.ofSeconds(5));
        CompletableFuture<AcquireAnswer> reply = new CompletableFuture<>();
        backend.onAcquire = command -> reply;
        CompletableFuture<Optional<LockHandle>> first =
                brief.tryLockAsync(request).toCompletableFuture();
        time.pass(Duration.ofMillis(24));
        CompletableFuture<Optional<LockHandle>> second =
                brief.tryLockAsync(request).toCompletableFuture();
        reply.complete(new Granted(1));
        time.pass(Duration.ofMillis(36));
        first.join().orElseThrow().close();
        LockHandle handed = second.getNow(Optional.empty()).orElseThrow();
        time.pass(Duration.ofMillis(140));
        assertThat(handed.isHeld()).isTrue();
        time.pass(Duration.ofMillis(10));
        assertThat(handed.isHeld()).isFalse();
        assertThat(listener.events).contains("lost MAX_HOLD_TIME");
        assertThat(backend.acquired).hasSize(1);
    }

    @Test
    void afterALostLeaseTheNextWaiterAsksTheStore() {
        LockHandle first = locker.lock("service");
        CompletableFuture<Optional<LockHandle>> second = waitFor(Duration.ofSeconds(40));
        time.freeze(Duration.ofSeconds(31));
        assertThat(first.isHeld()).isFalse();
        LockHandle next = second.getNow(Optional.empty()).orElseThrow();
        assertThat(next.fencingToken()).isGreaterThan(first.fencingToken());
        assertThat(backend.acquired).hasSize(2);
        assertThat(first.release()).isFalse();
        assertThat(next.isHeld()).isTrue();
    }

    @Test
    void aWaiterWhoseTimeIsOverLeavesTheQueue() {
        LockHandle first = locker.lock("service");
        CompletableFuture<Optional<LockHandle>> second = waitFor(Duration.ofSeconds(1));
        time.pass(Duration.ofMillis(1100));
        assertThat(second).isCompletedWithValue(Optional.empty());
        first.close();
        assertThat(locker.queues().all()).isEmpty();
        assertThat(locker.status().waiting()).isZero();
    }

    @Test
    void theExceptionOfLockContainsTheWaitTime() {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(Duration.ofSeconds(5)));
        assertThatThrownBy(() -> locker.lock(LockRequest.of("service").withWaitTime(Duration.ZERO)))
                .isInstanceOf(LockNotAcquiredException.class)
                .hasMessageContaining("'service'");
    }

    @Test
    void theStoreEnforcesTheMinimumHoldTime() {
        LockHandle lock = locker.lock(LockRequest.of("service").withMinHoldTime(Duration.ofSeconds(10)));
        time.pass(Duration.ofSeconds(4));
        assertThat(lock.release()).isTrue();
        assertThat(backend.released.get(0).retainFor()).isBetween(Duration.ofSeconds(6), Duration.ofMillis(6002));
    }

    @Test
    void afterAShutdownNoLockIsGrantedAndHoldersAreNotified() {
        LockHandle lock = locker.lock("service");
        CompletableFuture<Optional<LockHandle>> waiting = waitFor(Duration.ofSeconds(30));
        assertThat(time.moveDuring(() -> engine.shutdown(Duration.ZERO))).isFalse();
        assertThat(lock.isHeld()).isFalse();
        assertThat(listener.events).contains("lost SHUTDOWN");
        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(LockBackendException.class);
        assertThatThrownBy(() -> locker.tryLock("other")).isInstanceOf(LockBackendException.class);
        time.pass(Duration.ZERO);
        assertThat(backend.released).hasSize(1);
    }

    private CompletableFuture<Optional<LockHandle>> waitFor(Duration waitTime) {
        return locker.tryLockAsync(LockRequest.of("service").withWaitTime(waitTime))
                .toCompletableFuture();
    }
}
