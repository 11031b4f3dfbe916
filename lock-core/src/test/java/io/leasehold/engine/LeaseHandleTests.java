package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockAttempt;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockListener;
import io.leasehold.LockLostException;
import io.leasehold.LockRequest;
import io.leasehold.LockViews;
import io.leasehold.Locker;
import io.leasehold.LossReason;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.support.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/** The calls of a holder on its handle, and the notifications of the holder. */
class LeaseHandleTests extends EngineInVirtualTime {

    private static final Duration VALIDITY = Duration.ofMillis(29_698);

    private final CountDownLatch reporting = new CountDownLatch(1);

    private final CountDownLatch goesOn = new CountDownLatch(1);

    private final LockListener stuck = new LockListener() {
        @Override
        public void released(LockHandle handle, Duration held) {
            reporting.countDown();
            awaitLatch(goesOn);
        }
    };

    /** Work during which the machine seems to be suspended. */
    private final Callable<Integer> suspension = () -> {
        time.moveWall(Duration.ofMinutes(10));
        return 7;
    };

    /** The lock must stay taken for so long, whenever the release arrives. */
    @Test
    void itIsRenewedMeanwhileForItsMinimumHoldTime() {
        LeaseLocker other = time.engine(stuck)
                .locker(
                        VirtualTime.settings("other").withTtl(TTL).withMinHoldTime(TTL.multipliedBy(2)),
                        "scripted",
                        backend);
        LockHandle lock = other.lock("service");
        CompletableFuture<Boolean> released = onAThread(lock::release);
        awaitLatch(reporting);
        time.pass(TTL.multipliedBy(2));
        assertThat(backend.renewed).isNotEmpty();
        goesOn.countDown();
        assertThat(released).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(true);
    }

    /** Nobody else would end the lease if the thread that releases it never came back. */
    @Test
    void aLockIsNotRenewedWhileItsReleaseIsBeingReported() {
        LeaseLocker other =
                time.engine(stuck).locker(VirtualTime.settings("other").withTtl(TTL), "scripted", backend);
        LockHandle lock = other.lock("service");
        CompletableFuture<Boolean> released = onAThread(lock::release);
        awaitLatch(reporting);
        time.pass(TTL.multipliedBy(2));
        goesOn.countDown();
        assertThat(backend.renewed).isEmpty();
        assertThat(released).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(false);
        assertThat(other.queues().all()).isEmpty();
    }

    @Test
    void workThatEndsUnderALockOfTheStoreSucceedsAfterASuspension() throws Exception {
        Lock view = LockViews.asLock(locker, "view");
        view.lock();
        assertThat(locker.executeLocked("service", suspension)).isEqualTo(7);
        view.unlock();
        assertThat(backend.released).hasSize(2);
    }

    @Test
    void aNestedCallJoinsALockOfTheStoreAfterASuspension() throws Exception {
        assertThat(locker.executeLocked("service", () -> {
                    time.moveWall(Duration.ofMinutes(10));
                    return locker.executeLocked("service", () -> 7);
                }))
                .isEqualTo(7);
    }

    @Test
    void workThatEndsUnderALostLockFailsAfterASuspension() {
        backend.onRenew = commands -> ScriptedBackend.done(List.of(RenewAnswer.NOT_OWNER));
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> locker.executeLocked("service", suspension));
    }

    @Test
    void itsTextHasNoControlCharactersOfTheKey() {
        LockHandle lock = locker.lock("42\nforged");
        assertThat(lock)
                .hasToString("lock '42\\u000aforged' of locker '" + lock.locker() + "' (fencing token "
                        + lock.fencingToken() + ", held)");
        lock.release();
        assertThatIllegalStateException()
                .isThrownBy(lock::requireHeld)
                .withMessageStartingWith("lock '42\\u000aforged' of locker ");
    }

    @Test
    void theRemainingTimeIsTheTtlLessTheAllowanceForClocks() {
        LockHandle lock = locker.lock("service");
        assertThat(lock.remaining()).isEqualTo(VALIDITY);
        time.freeze(Duration.ofSeconds(7));
        assertThat(lock.remaining()).isEqualTo(VALIDITY.minusSeconds(7));
        time.freeze(Duration.ofMillis(22_698));
        assertThat(lock.remaining()).isZero();
    }

    @Test
    void theTextOfAHandleNamesTheLock() {
        LockHandle lock = locker.lock("service");
        assertThat(lock).hasToString("lock 'service' of locker 'deploy' (fencing token 100, held)");
        lock.close();
        assertThat(lock).hasToString("lock 'service' of locker 'deploy' (fencing token 100, not held)");
    }

    @Test
    void aReleaseEndsItOnce() {
        LockHandle lock = locker.lock("service");
        time.pass(Duration.ofSeconds(3));
        assertThat(lock.hasEnded()).isFalse();
        assertThat(lock.release()).isTrue();
        assertThat(lock.hasEnded()).isTrue();
        assertThat(lock.remaining()).isZero();
        assertThat(lock.release()).isFalse();
        assertThat(lock.releaseAsync().toCompletableFuture()).isCompletedWithValue(false);
        assertThat(backend.released).hasSize(1);
        assertThat(listener.heldFor).containsExactly(Duration.ofSeconds(3));
        assertThatIllegalStateException().isThrownBy(lock::requireHeld).withMessageContaining("was released");
        assertThatIllegalStateException().isThrownBy(lock::renew);
        assertThat(backend.renewed).isEmpty();
    }

    /** The next holder would be told of a loss in the store an hour late. */
    @Test
    void aRenewalThatBeganBeforeTheReleaseDoesNotProlongTheLeaseOfTheNextHolder() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        Ticker ticker = new Ticker() {

            @Override
            public long nanos() {
                meanwhile.getAndSet(() -> {}).run();
                return time.nanos();
            }

            @Override
            public long wallMillis() {
                return time.wallMillis();
            }
        };
        try (LockEngine other = time.engine(listener, ticker, time, VirtualTime.callersThread())) {
            LeaseLocker own = other.locker(VirtualTime.settings("other").withTtl(TTL), "scripted", backend);
            LockHandle lock = own.lock("service");
            CompletableFuture<Optional<LockHandle>> next = own.tryLockAsync(
                            LockRequest.of("service").withWaitTime(TTL))
                    .toCompletableFuture();
            // the first reading is that of the check whether the lock is held
            meanwhile.set(() -> meanwhile.set(lock::releaseAsync));
            assertThatIllegalStateException()
                    .isThrownBy(() -> lock.renew(Duration.ofHours(1)))
                    .withMessageContaining("was released");
            assertThat(backend.renewed).isEmpty();
            next.join().orElseThrow().close();
        }
    }

    @Test
    void aLateReleaseIsALoss() {
        LockHandle lock = locker.lock("service");
        CompletableFuture<LossReason> told = new CompletableFuture<>();
        lock.onLost(told::complete);
        time.freeze(TTL);
        assertThat(lock.hasEnded()).isTrue();
        assertThat(lock.release()).isFalse();
        assertThat(told).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(LossReason.EXPIRED);
        assertThat(listener.heldFor).containsExactly(TTL);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::renew);
    }

    /** The thread that ends a lease may be stopped before it has ended the handle. */
    @Test
    void aLeaseThatAnotherThreadIsEndingIsLost() {
        backend.onRenew = commands -> ScriptedBackend.done(List.of(RenewAnswer.NOT_OWNER));
        LockHandle lock = locker.lock("service");
        Lease lease = ((LeaseHandle) lock).lease();
        assertThat(lease.queue().end(lease)).isTrue();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lock::renew)
                .satisfies(ex -> assertThat(ex.reason()).isEqualTo(LossReason.NOT_OWNER));
        time.freeze(TTL);
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lock::requireHeld)
                .satisfies(ex -> assertThat(ex.reason()).isEqualTo(LossReason.EXPIRED));
        lease.queue().advance();
    }

    @Test
    void aReleaseThatTheStoreDeniesReturnsFalse() {
        backend.onRelease = command -> ScriptedBackend.done(ReleaseAnswer.NOT_OWNER);
        assertThat(locker.lock("service").release()).isFalse();
        assertThat(locker.lock("service").releaseAsync().toCompletableFuture()).isCompletedWithValue(false);
        assertThat(locker.queues().all()).isEmpty();
    }

    @Test
    void aStoreThatThrowsOnReleaseIsAskedAgainLater() {
        LockHandle lock = locker.lock("service");
        backend.onRelease = command -> {
            throw new IllegalStateException("store is down");
        };
        assertThat(lock.releaseAsync().toCompletableFuture()).isCompletedWithValue(false);
        assertThat(locker.status().pendingRemovals()).isOne();
        backend.onRelease = command -> ScriptedBackend.done(ReleaseAnswer.RELEASED);
        time.pass(Duration.ofSeconds(1));
        assertThat(locker.status().pendingRemovals()).isZero();
    }

    @Test
    void anAsynchronousReleaseWaitsAtMostForTheCommandTimeout() {
        LockHandle lock = locker.lock("service");
        backend.onRelease = command -> ScriptedBackend.never();
        CompletableFuture<Boolean> released = lock.releaseAsync().toCompletableFuture();
        assertThat(lock.isHeld()).isFalse();
        time.pass(Duration.ofMillis(900));
        assertThat(released).isNotDone();
        time.pass(Duration.ofMillis(200));
        assertThat(released).isCompletedWithValue(false);
        assertThat(locker.status().pendingRemovals()).isOne();
        assertThat(locker.queues().all()).isEmpty();
    }

    @Test
    void anAsynchronousReleaseCompletesWithTheStoresAnswer() {
        LockHandle lock = locker.lock("service");
        CompletableFuture<ReleaseAnswer> answer = ScriptedBackend.never();
        backend.onRelease = command -> answer;
        CompletableFuture<Boolean> released = lock.releaseAsync().toCompletableFuture();
        assertThat(released).isNotDone();
        answer.complete(ReleaseAnswer.RELEASED);
        assertThat(released).isCompletedWithValue(true);
        assertThat(time.scheduled()).isOne();
        time.pass(Duration.ofMinutes(1));
        assertThat(time.scheduled()).isZero();
        assertThat(backend.released).hasSize(1);
    }

    @Test
    void aReleaseWaitsForTheStoresAnswer() {
        LockHandle lock = locker.lock("service");
        CompletableFuture<ReleaseAnswer> answer = ScriptedBackend.never();
        CompletableFuture<Void> asked = new CompletableFuture<>();
        backend.onRelease = command -> {
            asked.complete(null);
            return answer;
        };
        CompletableFuture<Boolean> released = onAThread(lock::release);
        asked.thenRunAsync(() -> answer.complete(ReleaseAnswer.RELEASED));
        assertThat(released).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(true);
    }

    @Test
    void afterItsMinimumHoldTimeALockIsFreeImmediately() {
        LockHandle lock = locker.lock(LockRequest.of("service").withMinHoldTime(Duration.ofSeconds(5)));
        time.pass(Duration.ofSeconds(5));
        lock.close();
        assertThat(backend.released.get(0).retainFor()).isZero();
        LockHandle early = locker.lock(LockRequest.of("service").withMinHoldTime(Duration.ofSeconds(5)));
        time.pass(Duration.ofMillis(4_999));
        early.close();
        assertThat(backend.released.get(1).retainFor()).isEqualTo(Duration.ofMillis(2));
    }

    /** The minimum hold time is for work that was done. */
    @Test
    void aLockUnderWhichNoWorkCouldBeginIsFreeImmediately() {
        LockEngine suspended = time.engine(new LockListener() {
            @Override
            public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
                time.moveWall(Duration.ofMinutes(10));
            }
        });
        Locker locker = suspended.locker(VirtualTime.settings("suspended"), "scripted", backend);
        backend.onRenew = commands -> CompletableFuture.failedFuture(new IllegalStateException("store is down"));
        LockRequest request = LockRequest.of("service").withMinHoldTime(Duration.ofSeconds(5));
        assertThatExceptionOfType(LockBackendException.class).isThrownBy(() -> locker.executeLocked(request, () -> 7));
        assertThat(backend.released)
                .singleElement()
                .extracting(ReleaseCommand::retainFor)
                .isEqualTo(Duration.ZERO);
        time.close(suspended);
    }

    @Test
    void aHolderWithoutWorkWaivesTheMinimumHoldTime() {
        LockHandle lock = locker.lock(LockRequest.of("service").withMinHoldTime(Duration.ofSeconds(5)));
        lock.waiveMinHoldTime();
        lock.close();
        assertThat(backend.released.get(0).retainFor()).isZero();
    }

    @Test
    void everyCallbackIsNotifiedWheneverItWasRegistered() {
        LockHandle lock = locker.lock("service");
        List<String> told = new CopyOnWriteArrayList<>();
        lock.onLost(reason -> told.add("first " + reason));
        lock.onLost(reason -> {
            throw new IllegalStateException("a callback that fails");
        });
        lock.onLost(reason -> told.add("second " + reason));
        time.moveDuring(() -> engine.shutdown(Duration.ZERO));
        lock.onLost(reason -> told.add("late " + reason));
        await().atMost(Duration.ofSeconds(20)).until(() -> told.size() == 3);
        assertThat(told).containsExactlyInAnyOrder("first SHUTDOWN", "second SHUTDOWN", "late SHUTDOWN");
    }

    @Test
    void aRenewalOnDemandNeverShortensALease() {
        LockHandle lock = locker.lock("service");
        lock.renew(Duration.ofMinutes(5));
        Duration left = lock.remaining();
        lock.renew();
        assertThat(lock.remaining()).isEqualTo(left);
        assertThat(backend.renewed.get(1).get(0).ttl()).isEqualTo(TTL);
    }

    @Test
    void aRenewalOnDemandIsForThreeCommandTimeoutsAtLeast() {
        LockHandle lock = locker.lock("service");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.renew(Duration.ofMillis(2_999)))
                .withMessageContainingAll("'ttl' PT2.999S", "'deploy'", "'service'", "PT1S");
        lock.renew(Duration.ofSeconds(3));
        assertThat(backend.renewed).hasSize(1);
    }

    @Test
    void aRenewalOnDemandStaysWithinTheMaximumHoldTime() {
        LockHandle lock = locker.lock(LockRequest.of("service").withMaxHoldTime(Duration.ofSeconds(100)));
        time.freeze(Duration.ofSeconds(5));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.renew(Duration.ofMillis(95_001)))
                .withMessageContainingAll("PT1M35.001S", "PT1M35S", "'deploy'", "'service'");
        lock.renew(Duration.ofSeconds(95));
        assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(93));
    }

    @Test
    void aRenewalWithoutATimeIsForTheRestOfTheMaximumHoldTime() {
        LockHandle lock = locker.lock(LockRequest.of("service").withMaxHoldTime(TTL.plusSeconds(1)));
        time.freeze(Duration.ofSeconds(5));
        lock.renew();
        assertThat(backend.renewed.get(0).get(0).ttl()).isEqualTo(TTL.minusSeconds(4));
    }

    @Test
    void aRenewalOnDemandIsForAYearAtMost() {
        LockHandle lock = locker.lock("service");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.renew(Duration.ofSeconds(Long.MAX_VALUE)))
                .withMessageContainingAll("365 days", "'deploy'", "'service'");
        assertThat(backend.renewed).isEmpty();
    }

    @Test
    void aRenewalOnDemandMayBeForAYear() {
        LockHandle lock = locker.lock("service");
        lock.renew(Duration.ofDays(365));
        assertThat(backend.renewed.get(0).get(0).ttl()).isEqualTo(Duration.ofDays(365));
    }

    @Test
    void aRenewalOnDemandAfterTheEndOfValidityIsALoss() {
        LockHandle lock = locker.lock("service");
        time.freeze(VALIDITY);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::renew);
        assertThat(backend.renewed).isEmpty();
    }

    @Test
    void aRenewalOnDemandConfirmsALockAfterASuspension() {
        LockHandle lock = locker.lock("service");
        time.moveWall(Duration.ofMinutes(10));
        assertThat(lock.isHeld()).isFalse();
        lock.renew();
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void aSuspensionDoesNotShortenALeaseThatItsHolderHasRenewedForLonger() {
        LeaseLocker manual = engine.locker(VirtualTime.settings("manual").withAutoRenew(false), "scripted", backend);
        LockHandle lock = manual.lock("service");
        lock.renew(Duration.ofHours(1));
        time.moveWall(Duration.ofMinutes(10));
        lock.requireConfirmed();
        assertThat(lock.remaining()).isGreaterThan(Duration.ofMinutes(58));
    }

    @Test
    void aRenewalOnDemandThatTheStoreDeniesIsALoss() {
        LockHandle lock = locker.lock("service");
        backend.onRenew = commands -> ScriptedBackend.done(List.of(RenewAnswer.NOT_OWNER));
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lock::renew)
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LossReason.NOT_OWNER));
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void aLockThatIsLostDuringARenewalOnDemandIsLost() {
        LockHandle lock = locker.lock("service");
        backend.onRenew = commands -> {
            time.moveDuring(() -> engine.shutdown(Duration.ZERO));
            return ScriptedBackend.done(List.of(RenewAnswer.RENEWED));
        };
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lock::renew)
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LossReason.SHUTDOWN));
    }

    @Test
    void anUnconfirmedRenewalOnDemandReportsTheRemainingTime() {
        LockHandle lock = locker.lock("service");
        time.freeze(Duration.ofSeconds(5));
        IllegalStateException down = new IllegalStateException("store is down");
        backend.onRenew = commands -> CompletableFuture.failedFuture(down);
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(lock::renew)
                .withMessageContainingAll("'service'", "'deploy'", "24698 ms")
                .withCause(down);
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void anInterruptedRenewalOnDemandKeepsTheFlagAndTheLock() {
        LockHandle lock = locker.lock("service");
        backend.onRenew = commands -> ScriptedBackend.never();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(lock::renew);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(lock.isHeld()).isTrue();
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }
}
