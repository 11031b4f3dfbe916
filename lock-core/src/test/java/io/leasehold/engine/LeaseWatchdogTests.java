package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.LockRequest;
import io.leasehold.LossReason;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import io.leasehold.testsupport.FailingLog;
import io.leasehold.testsupport.RecordedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LeaseWatchdogTests extends EngineInVirtualTime {

    @Test
    void aHeldLockIsRenewedEveryThirdOfItsTtl() {
        LockHandle lock = locker.lock("service");
        time.pass(Duration.ofMinutes(5));
        assertThat(lock.isHeld()).isTrue();
        assertThat(backend.renewed).hasSizeBetween(29, 32);
        assertThat(backend.renewed).allMatch(round -> round.get(0).ttl().equals(TTL));
    }

    @Test
    void aPauseBeforeTheTimerIsSetDelaysNoRenewal() {
        AtomicBoolean pauses = new AtomicBoolean(true);
        Scheduler slow = (task, delay) -> {
            if (pauses.getAndSet(false)) {
                time.freeze(Duration.ofSeconds(8));
            }
            return time.schedule(task, delay);
        };
        try (LockEngine other = time.engine(listener, time, slow, VirtualTime.callersThread())) {
            LockHandle lock = other.locker(VirtualTime.settings("other").withTtl(TTL), "scripted", backend)
                    .lock("service");
            time.pass(Duration.ofSeconds(3));
            assertThat(backend.renewed).hasSize(1);
            lock.close();
        }
    }

    /** As if no thread could be created for the timer at the first lock. */
    @Test
    void aTimerThatFailsBlocksNoKeyAndEndsNoRenewal() {
        AtomicInteger failures = new AtomicInteger(2);
        Scheduler failing = (task, delay) -> {
            if (failures.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return time.schedule(task, delay);
        };
        try (LockEngine other = time.engine(listener, time, failing, VirtualTime.callersThread())) {
            LeaseLocker broken = other.locker(VirtualTime.settings("other").withTtl(TTL), "scripted", backend);
            backend.onRelease = command -> ScriptedBackend.never();
            assertThatThrownBy(() -> broken.tryLock("service")).isInstanceOf(OutOfMemoryError.class);
            backend.onRelease = new ScriptedBackend().onRelease;
            assertThat(broken.queues().all()).isEmpty();
            assertThat(broken.state().openCalls()).hasValue(0);
            LockHandle lock = broken.lock("service");
            time.pass(TTL.multipliedBy(2));
            assertThat(lock.isHeld()).isTrue();
            lock.close();
        }
    }

    @Test
    void aCheckThatFailsIsRepeated() {
        AtomicBoolean fails = new AtomicBoolean();
        Ticker failing = new Ticker() {

            @Override
            public long nanos() {
                return time.nanos();
            }

            @Override
            public long wallMillis() {
                if (fails.getAndSet(false)) {
                    throw new IllegalStateException("no time of day");
                }
                return time.wallMillis();
            }
        };
        try (RecordedLog log = new RecordedLog(LeaseWatchdog.class);
                LockEngine other = time.engine(listener, failing, time, VirtualTime.callersThread())) {
            LockHandle lock = other.locker(VirtualTime.settings("other").withTtl(TTL), "scripted", backend)
                    .lock("service");
            fails.set(true);
            time.pass(Duration.ofMillis(9_698 + 199));
            assertThat(log.messages())
                    .containsExactly("The locks of locker 'other' could not be looked after; trying again");
            assertThat(backend.renewed).isEmpty();
            time.pass(Duration.ofMillis(1));
            assertThat(backend.renewed).hasSize(1);
            lock.close();
        }
    }

    @Test
    void nothingIsRenewedOrScheduledAfterARelease() {
        locker.lock("service").close();
        time.pass(Duration.ofMinutes(5));
        assertThat(backend.renewed).isEmpty();
        assertThat(time.scheduled()).isZero();
    }

    @Test
    void aThousandLocksAreRenewedInBatches() {
        List<LockHandle> locks = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            locks.add(locker.lock("service-" + i));
        }
        time.pass(Duration.ofSeconds(10));
        assertThat(backend.renewed).hasSize(2).allMatch(round -> round.size() == 500);
        locks.forEach(LockHandle::close);
    }

    @Test
    void validityEndsBeforeTheStoresLeaseDoes() {
        LockHandle lock = locker.lock(LockRequest.of("service").withAutoRenew(false));
        time.pass(TTL.minusMillis(303));
        assertThat(lock.isHeld()).isTrue();
        time.pass(Duration.ofMillis(2));
        assertThat(lock.isHeld()).isFalse();
        assertThat(listener.events).containsExactly("acquire ACQUIRED", "lost NOT_RENEWED");
    }

    @Test
    void aFailedRenewalIsRetriedAndTheLockStaysHeld() {
        LockHandle lock = locker.lock("service");
        backend.onRenew = commands -> CompletableFuture.failedFuture(new IllegalStateException("store is down"));
        time.pass(Duration.ofSeconds(11));
        backend.onRenew = commands -> ScriptedBackend.done(List.of(RenewAnswer.RENEWED));
        time.pass(Duration.ofMinutes(2));
        assertThat(lock.isHeld()).isTrue();
        assertThat(listener.events).contains("renew FAILURE", "renew SUCCESS").doesNotContain("at risk");
    }

    @Test
    void aBackendThatThrowsDoesNotEndTheWatchdog() {
        LockHandle lock = locker.lock("service");
        backend.onRenew = commands -> {
            throw new OutOfMemoryErrorLookalike();
        };
        time.pass(Duration.ofSeconds(11));
        backend.onRenew = commands -> ScriptedBackend.done(List.of(RenewAnswer.RENEWED));
        time.pass(Duration.ofMinutes(1));
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void aSilentStoreMeansRiskAndThenLossBeforeTheTtlEnds() {
        LockHandle lock = locker.lock("service");
        backend.onRenew = commands -> ScriptedBackend.never();
        time.pass(Duration.ofSeconds(19));
        assertThat(listener.events).doesNotContain("at risk");
        time.pass(Duration.ofSeconds(2));
        assertThat(listener.events).contains("at risk").doesNotContain("lost EXPIRED");
        time.pass(TTL.minusSeconds(21).minusMillis(1));
        assertThat(listener.events).contains("lost EXPIRED");
        assertThat(lock.isHeld()).isFalse();
        assertThatThrownBy(lock::requireHeld)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("'service'")
                .hasMessageContaining("'deploy'");
    }

    @Test
    void aLockThatTheStoreDeniesIsLostImmediatelyAndNeverRenewedAgain() {
        LockHandle lock = locker.lock("service");
        List<LossReason> told = new ArrayList<>();
        lock.onLost(reason -> {
            synchronized (told) {
                told.add(reason);
                told.notifyAll();
            }
        });
        backend.onRenew = commands -> ScriptedBackend.done(List.of(RenewAnswer.NOT_OWNER));
        time.pass(Duration.ofSeconds(10));
        assertThat(lock.isHeld()).isFalse();
        await().untilAsserted(() -> assertThat(told).containsExactly(LossReason.NOT_OWNER));
        int asked = backend.renewed.size();
        time.pass(Duration.ofMinutes(5));
        assertThat(backend.renewed).hasSize(asked);
        assertThat(backend.released).isEmpty();
    }

    @Test
    void anAnswerThatComesAfterTheReleaseChangesNothing() {
        LockHandle lock = locker.lock("service");
        CompletableFuture<List<RenewAnswer>> late = ScriptedBackend.never();
        backend.onRenew = commands -> late;
        time.pass(Duration.ofSeconds(10));
        assertThat(lock.release()).isTrue();
        late.complete(List.of(RenewAnswer.NOT_OWNER));
        assertThat(listener.events).doesNotContain("lost NOT_OWNER", "renew LOST");
        assertThat(lock.release()).isFalse();
    }

    @Test
    void aRenewalThatIsConfirmedAfterValidityHasEndedDoesNotReviveTheLock() {
        LockHandle lock = locker.lock("service");
        backend.onRenew = commands -> ScriptedBackend.never();
        time.freeze(TTL);
        assertThat(lock.isHeld()).isFalse();
        backend.onRenew = commands -> ScriptedBackend.done(List.of(RenewAnswer.RENEWED));
        time.pass(Duration.ofSeconds(1));
        assertThat(lock.isHeld()).isFalse();
        assertThat(backend.released).hasSize(1);
    }

    @Test
    void aPausedProcessSeesTheLossInItsFirstCall() {
        LockHandle lock = locker.lock("service");
        time.freeze(TTL.multipliedBy(2));
        assertThat(lock.isHeld()).isFalse();
        assertThat(listener.events).endsWith("lost EXPIRED");
    }

    @Test
    void maximumHoldTimeEndsTheLockHoweverOftenItIsRenewed() {
        LockHandle lock = locker.lock(LockRequest.of("service").withMaxHoldTime(Duration.ofSeconds(100)));
        time.pass(Duration.ofSeconds(99));
        assertThat(lock.isHeld()).isTrue();
        time.pass(Duration.ofSeconds(1));
        assertThat(lock.isHeld()).isFalse();
        assertThat(listener.events).endsWith("lost MAX_HOLD_TIME").doesNotContain("at risk");
        assertThat(backend.renewed).allMatch(round -> round.get(0).ttl().compareTo(TTL) <= 0);
    }

    @Test
    void aSuspendedMachineHoldsNothingUntilTheStoreHasConfirmedIt() {
        LockHandle lock = locker.lock("service");
        backend.onRenew = commands -> ScriptedBackend.never();
        time.moveWall(Duration.ofMinutes(10));
        assertThat(lock.isHeld()).isFalse();
        assertThatThrownBy(lock::requireHeld).isInstanceOf(LockBackendException.class);
        backend.onRenew = commands -> ScriptedBackend.done(List.of(RenewAnswer.RENEWED));
        time.pass(Duration.ofSeconds(4));
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void aWallClockThatGoesBackChangesNothing() {
        LockHandle lock = locker.lock("service");
        time.moveWall(Duration.ofMinutes(-10));
        assertThat(lock.isHeld()).isTrue();
        time.pass(Duration.ofMinutes(1));
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void renewalOnDemandPostponesTheWatchdog() {
        LockHandle lock = locker.lock("service");
        lock.renew(Duration.ofMinutes(5));
        assertThat(lock.remaining()).isBetween(Duration.ofSeconds(290), Duration.ofMinutes(5));
        time.pass(Duration.ofSeconds(270));
        assertThat(backend.renewed).hasSize(1);
        time.pass(Duration.ofSeconds(60));
        assertThat(backend.renewed).hasSizeGreaterThan(1);
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void aReleaseThatIsNotConfirmedIsRepeatedUntilItIs() {
        LockHandle lock = locker.lock("service");
        backend.onRelease = command -> CompletableFuture.failedFuture(new IllegalStateException("store is down"));
        assertThat(lock.release()).isFalse();
        time.pass(Duration.ofSeconds(5));
        int asked = backend.released.size();
        assertThat(asked).isGreaterThan(5);
        backend.onRelease = command -> ScriptedBackend.done(ReleaseAnswer.RELEASED);
        time.pass(Duration.ofSeconds(1));
        assertThat(backend.released.size()).isEqualTo(asked + 1);
        assertThat(locker.status().pendingRemovals()).isZero();
        time.pass(Duration.ofMinutes(1));
        assertThat(backend.renewed).isEmpty();
        assertThat(time.scheduled()).isZero();
    }

    private static final class OutOfMemoryErrorLookalike extends Error {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void aLockThatWasRenewedForAnHourIsAtRiskNearTheEndOfIt() {
        LockHandle lock = locker.lock("service");
        lock.renew(Duration.ofHours(1));
        backend.onRenew = commands -> CompletableFuture.failedFuture(new IllegalStateException("down"));
        time.pass(Duration.ofMinutes(50));
        assertThat(listener.events).doesNotContain("at risk");
        time.pass(Duration.ofMinutes(9).plusSeconds(20));
        assertThat(listener.events).contains("at risk").doesNotContain("lost EXPIRED");
    }

    /** As an appender whose disk is full. */
    @Test
    void aLogThatFailsEndsNoRenewal() {
        LockHandle first = locker.lock("a");
        LockHandle second = locker.lock("b");
        FailingLog.during(() -> {
            backend.onRenew = commands -> CompletableFuture.failedFuture(new IllegalStateException("down"));
            time.pass(Duration.ofSeconds(11));
        });
        backend.onRenew = new ScriptedBackend().onRenew;
        time.pass(TTL.multipliedBy(2));
        assertThat(first.isHeld()).isTrue();
        assertThat(second.isHeld()).isTrue();
    }

    @Test
    void aLogThatFailsForALostLockEndsNoRenewalOfItsBatch() {
        List<LockHandle> handles = Stream.of("a", "b", "c").map(locker::lock).toList();
        FailingLog.during(() -> {
            backend.onRenew = commands -> {
                List<RenewAnswer> answers = new ArrayList<>(Collections.nCopies(commands.size(), RenewAnswer.RENEWED));
                answers.set(0, RenewAnswer.NOT_OWNER);
                return ScriptedBackend.done(answers);
            };
            time.pass(Duration.ofSeconds(11));
        });
        backend.onRenew = new ScriptedBackend().onRenew;
        time.pass(TTL.multipliedBy(2));
        assertThat(handles).filteredOn(LockHandle::isHeld).hasSize(2);
    }
}
