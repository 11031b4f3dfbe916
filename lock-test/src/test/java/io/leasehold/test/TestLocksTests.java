package io.leasehold.test;

import static io.leasehold.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.ForcedRelease;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockKeys;
import io.leasehold.LockListener;
import io.leasehold.LockListing;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.Locker;
import io.leasehold.LossReason;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The faults that a test causes with the kit, and their removal. */
@Timeout(60)
class TestLocksTests {

    private static final Duration TTL = LockerSettings.DEFAULT_TTL;

    private final TestLocks locks = TestLocks.create();

    private final Locker locker = locks.locker("billing");

    private final List<LossReason> losses = new ArrayList<>();

    @Test
    void aLostLockIsReportedBeforeTheCallReturns() {
        LockHandle lock = locker.lock("invoices");
        lock.onLost(losses::add);
        locks.lose("invoices");
        assertThat(lock).isLost(LossReason.NOT_OWNER);
        assertThat(losses).containsExactly(LossReason.NOT_OWNER);
        assertThat(locker).isFree("invoices");
    }

    /** A database may outlive the store of a test, and remember its fencing tokens. */
    @Test
    void fencingTokensRiseFromOneStoreToTheNext() {
        locks.advance(Duration.ofHours(1));
        long last = locker.lock("invoices").fencingToken();
        try (TestLocks next = TestLocks.create()) {
            assertThat(next.locker("billing").lock("invoices").fencingToken()).isGreaterThan(last);
        }
    }

    @Test
    void aForcedReleaseReachesTheListener() {
        List<ForcedRelease> releases = new CopyOnWriteArrayList<>();
        try (LockEngine engine = locks.engine(new LockListener() {
            @Override
            public void forceReleased(ForcedRelease release) {
                releases.add(release);
            }
        })) {
            Locker operated =
                    engine.locker(LockerSettings.of("operated").withForceRelease(true), "test", locks.backend());
            LockHandle lock = operated.lock("invoices");
            operated.forceRelease("invoices", lock.fencingToken(), "a test")
                    .toCompletableFuture()
                    .join();
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> releases.size() == 1);
        }
    }

    @Test
    void aLockNearItsMaximumHoldTimeIsLostToo() {
        LockHandle lock = locker.lock(LockRequest.of("invoices").withMaxHoldTime(TTL));
        lock.onLost(losses::add);
        locks.advance(Duration.ofSeconds(1));
        locks.lose("invoices");
        assertThat(lock).isLost();
        assertThat(losses).hasSize(1);
    }

    @Test
    void aLockThatIsNotRenewedIsLostToo() {
        LockHandle lock = locker.lock(LockRequest.of("invoices").withAutoRenew(false));
        locks.lose("invoices");
        assertThat(lock).isLost();
    }

    @Test
    void masksOfKeysAreDisturbedToo() {
        String masked = LockKeys.mask("invoices");
        LockHandle lock = locker.lock(masked);
        assertThat(locks.held("invoices")).isSameAs(lock);
        assertThatIllegalStateException().isThrownBy(() -> locks.holdElsewhere("invoices"));
        locks.lose("invoices");
        assertThat(lock).isLost();
        locks.holdElsewhere("invoices");
        assertThat(locker.tryLock(masked)).isEmpty();
    }

    @Test
    void onlyAHeldLockCanBeLost() {
        locker.lock("other");
        assertThatIllegalStateException()
                .isThrownBy(() -> locks.lose("invoices"))
                .withMessageContaining("'invoices'")
                .withMessageContaining("other")
                .withMessageContaining("while the lock is held");
    }

    @Test
    void aStoreThatStallsReportsNoLoss() {
        locker.lock("invoices");
        try (Disturbance stall = locks.stall()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> locks.lose("invoices"))
                    .withMessageContaining("stalls")
                    .withMessageContaining("advance(ttl)");
            assertThat(stall).isNotNull();
        }
        locks.lose("invoices");
    }

    @Test
    void timeStandsStillAndLocksAreRenewedWhenItPasses() {
        LockHandle lock = locker.lock("invoices");
        Duration whole = lock.remaining();
        locks.advance(TTL.multipliedBy(100));
        assertThat(lock).isHeldForAtLeast(TTL.dividedBy(2));
        assertThat(lock.remaining()).isLessThanOrEqualTo(whole);
        assertThat(locker).isLocked("invoices");
    }

    @Test
    void aPausedProcessLosesItsLock() {
        LockHandle lock = locker.lock("invoices");
        lock.onLost(losses::add);
        locks.pauseProcess(TTL);
        assertThat(lock.isHeld()).isFalse();
        LockHandle next = locker.lock("invoices");
        assertThat(next).isNewerThan(lock).isHeld();
        locks.advance(Duration.ZERO);
        assertThat(losses).containsExactly(LossReason.EXPIRED);
    }

    @Test
    void aKeyOfAnotherProcessIsWaitedForWithoutDelay() {
        Disturbance hold = locks.holdElsewhere("invoices");
        long before = System.nanoTime();
        assertThat(locker.tryLock("invoices")).isEmpty();
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(() -> locker.lock(LockRequest.of("invoices").withWaitTime(Duration.ofHours(1))));
        assertThat(locker).isFree("other");
        assertThat(locks.locker("deploy")).isLocked("invoices");
        hold.close();
        assertThat(locker).isFree("invoices");
        assertThat(locks.locker("deploy")).isFree("invoices");
        // real time: far less than the wait time
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMinutes(30));
    }

    @Test
    void aKeyOfAnotherProcessIsReportedAsHeld() {
        Disturbance elsewhere = locks.holdElsewhere("invoices");
        assertThat(locker.list(10).toCompletableFuture().join().locks())
                .extracting(LockListing.Entry::key)
                .containsExactly("invoices");
        assertThat(locks.locker("other")
                        .describe("invoices")
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(LockState.Held.class);
        elsewhere.close();
        assertThat(locker.describe("invoices").toCompletableFuture().join()).isInstanceOf(LockState.Free.class);
        assertThat(locker.list(10).toCompletableFuture().join().locks()).isEmpty();
    }

    @Test
    void anAsynchronousCallerGetsTheLockThatAnotherProcessReleases() {
        Disturbance hold = locks.holdElsewhere("invoices");
        CompletableFuture<Optional<LockHandle>> waiter =
                locker.tryLockAsync(LockRequest.of("invoices")).toCompletableFuture();
        locks.advance(Duration.ofSeconds(1));
        assertThat(waiter).isNotDone();
        hold.close();
        locks.advance(Duration.ofSeconds(1));
        assertThat(waiter).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void aWaitOfYearsForAnotherProcessTakesNoTime() {
        locks.holdElsewhere("invoices");
        assertThat(locker.tryLock("invoices", Duration.ofDays(3000))).isEmpty();
    }

    @Test
    void anAsynchronousCallerGivesUpWhenTheClockHasPassedItsWaitTime() {
        locks.holdElsewhere("invoices");
        CompletableFuture<Optional<LockHandle>> waiter =
                locker.tryLockAsync(LockRequest.of("invoices")).toCompletableFuture();
        locks.advance(LockerSettings.DEFAULT_WAIT_TIME);
        assertThat(waiter).isCompletedWithValue(Optional.empty());
    }

    @Test
    void aKeyHasOneHolder() {
        LockHandle lock = locker.lock("invoices");
        assertThatIllegalStateException()
                .isThrownBy(() -> locks.holdElsewhere("invoices"))
                .withMessageContaining("this application holds key 'invoices'")
                .withMessageContaining("lose(\"invoices\")");
        lock.release();
        locks.holdElsewhere("invoices");
        assertThatIllegalStateException()
                .isThrownBy(() -> locks.holdElsewhere("invoices"))
                .withMessageContaining("already held by another process");
    }

    @Test
    void aCallerThatWaitsForItselfGivesUpWithoutDelay() {
        locker.lock("invoices");
        assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> locker.lock("invoices"));
    }

    @Test
    void aCallerThatWaitsForItsLockOfAnotherLockerGivesUpWithoutDelay() {
        Locker same = locks.locker(LockerSettings.of("same").withNamespace("billing"));
        LockHandle lock = locker.lock("invoices");
        assertThat(same.tryLock("invoices")).isEmpty();
        lock.close();
        assertThat(same.tryLock("invoices")).isPresent();
    }

    /** Its holder does not release it. */
    @Test
    void aLockThatWasTakenFromItsHolderIsFreeWhenItsTimeHasPassed() {
        Locker operated = locks.locker(LockerSettings.of("operated").withForceRelease(true));
        LockHandle lock = operated.lock("invoices");
        ForcedRelease release = operated.forceRelease("invoices", lock.fencingToken(), "a test")
                .toCompletableFuture()
                .join();
        assertThat(release.outcome()).isEqualTo(ForcedRelease.Outcome.REVOKED);
        assertThat(operated.lock(LockRequest.of("invoices").withWaitTime(TTL.multipliedBy(2))))
                .isNewerThan(lock);
    }

    /** The lock is in the store until the request is undone. */
    @Test
    void aLockIsFreeAfterAFailureWithoutWaitTime() {
        locks.loseReply("invoices");
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> locker.tryLock(LockRequest.of("invoices").withWaitTime(Duration.ZERO)));
        assertThat(locker.lock("invoices")).isHeld();
    }

    /** The handle ends before the lease in the store. */
    @Test
    void aLockIsFreeAfterAPauseThatNearlyEndedItsLease() {
        LockHandle lock = locker.lock("invoices");
        locks.pauseProcess(TTL.minusMillis(100));
        assertThat(lock.isHeld()).isFalse();
        assertThat(locker.lock("invoices")).isNewerThan(lock);
    }

    @Test
    void aCallerWaitsForAnotherThread() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<Void> holder = CompletableFuture.runAsync(
                () -> {
                    try (LockHandle lock = locker.lock("invoices")) {
                        assertThat(lock).isHeld();
                        held.countDown();
                        await(release);
                    }
                },
                task -> new Thread(task, "holder").start());
        held.await();
        CompletableFuture<LockHandle> waiter = CompletableFuture.supplyAsync(
                () -> locker.lock("invoices"), task -> new Thread(task, "waiter").start());
        Awaitility.await().until(() -> locks.waiting() == 1);
        release.countDown();
        assertThat(waiter.get(30, TimeUnit.SECONDS)).isHeld();
        holder.get(30, TimeUnit.SECONDS);
    }

    @Test
    void threadsTakeTurnsWhileTimeStandsStill() throws Exception {
        Duration waitTime = Duration.ofMillis(1);
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(CompletableFuture.runAsync(
                    () -> {
                        for (int turn = 0; turn < 250; turn++) {
                            try (LockHandle lock =
                                    locker.lock(LockRequest.of("k").withWaitTime(waitTime))) {
                                assertThat(inside.incrementAndGet()).isEqualTo(1);
                                assertThat(lock).isHeld();
                                inside.decrementAndGet();
                            }
                        }
                    },
                    task -> new Thread(task, "caller").start()));
        }
        CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)).get(50, TimeUnit.SECONDS);
    }

    @Test
    void aStoreThatStallsFailsCallersAndLosesLocks() {
        LockHandle lock = locker.lock("invoices");
        lock.onLost(losses::add);
        Disturbance stall = locks.stall();
        assertThatExceptionOfType(LockBackendException.class).isThrownBy(() -> locker.tryLock("other"));
        assertThatExceptionOfType(LockBackendException.class).isThrownBy(lock::renew);
        locks.advance(TTL);
        assertThat(lock).isLost(LossReason.EXPIRED);
        assertThat(losses).containsExactly(LossReason.EXPIRED);
        stall.close();
        assertThat(locker).isFree("other");
    }

    @Test
    void aStoreThatStallsIsNotHealthy() {
        assertThat(locks.backend().inspect()).isCompletedWithValue(List.of());
        Disturbance stall = locks.stall();
        assertThat(locks.backend().inspect()).isCompletedExceptionally();
        stall.close();
        assertThat(locks.backend().inspect()).isCompletedWithValue(List.of());
    }

    @Test
    void aReleaseThatTheStoreDoesNotAnswerIsRetried() {
        LockHandle lock = locker.lock("invoices");
        Disturbance stall = locks.stall();
        assertThat(lock.release()).isFalse();
        stall.close();
        locks.advance(Duration.ofSeconds(1));
        assertThat(locker).isFree("invoices");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT1M"})
    void aCallerWaitsWithoutDelayForAReleaseThatTheStoreDidNotAnswer(Duration minHoldTime) {
        LockHandle lock = locker.lock(LockRequest.of("invoices").withMinHoldTime(minHoldTime));
        Disturbance stall = locks.stall();
        assertThat(lock.release()).isFalse();
        stall.close();
        assertThat(locker.tryLock("invoices", Duration.ofMinutes(2))).isPresent();
    }

    @Test
    void aCallerWaitsWithoutDelayForAnAsynchronousReleaseThatTheStoreDidNotAnswer() {
        LockHandle lock = locker.lock("invoices");
        Disturbance stall = locks.stall();
        CompletableFuture<Boolean> released = lock.releaseAsync().toCompletableFuture();
        stall.close();
        assertThat(locker.tryLock("invoices", Duration.ofMinutes(2))).isPresent();
        assertThat(released.join()).isFalse();
    }

    @Test
    void aCallerGivesUpWithoutDelayBeforeTheStoreHasAnsweredTheReleaseOfAnotherThread() throws Exception {
        LockHandle lock = locker.lock("invoices");
        locks.stall();
        Thread releasing = new Thread(lock::releaseAsync, "releasing");
        releasing.start();
        releasing.join();
        assertThat(locker.tryLock("invoices", Duration.ofMillis(1))).isEmpty();
    }

    @Test
    void aDeniedLockFailsImmediately() {
        Disturbance denial = locks.deny("invoices");
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> locker.lock("invoices"))
                .withMessageContaining("'invoices'")
                .withMessageContaining("TestLocks.deny");
        assertThat(locker).isFree("other");
        denial.close();
        assertThat(locker).isFree("invoices");
    }

    @Test
    void aLostReplyLeavesNoLock() {
        locks.loseReply("invoices");
        assertThatExceptionOfType(LockBackendException.class).isThrownBy(() -> locker.tryLock("invoices"));
        locks.advance(Duration.ofMillis(1));
        assertThat(locker).isFree("invoices");
    }

    @Test
    void aCallerSurvivesALostReply() {
        locks.loseReply("invoices");
        assertThat(locker.lock("invoices")).isHeld();
    }

    @Test
    void aReplyArrivesWhenItIsNoLongerLost() {
        locks.loseReply("invoices").close();
        assertThat(locker.tryLock("invoices")).isPresent();
    }

    @Test
    void aMinimumHoldTimeEndsByTheTestsClock() {
        LockRequest request = LockRequest.of("job").withMinHoldTime(Duration.ofMinutes(10));
        locker.lock(request).release();
        assertThat(locker).isLocked("job");
        locks.advance(Duration.ofMinutes(10).plusSeconds(1));
        assertThat(locker).isFree("job");
    }

    @Test
    void aResetReleasesTheLockOfACallerThatWaited() {
        Locker locker = locks.locker("reset");
        locker.lock("a");
        locker.tryLockAsync(LockRequest.of("a").withWaitTime(Duration.ofMinutes(10)));
        locks.reset();
        assertThat(locks.held()).isEmpty();
        assertThat(locker.tryLock("a")).isPresent();
    }

    @Test
    void aResetLeavesNothing() {
        LockHandle before = locker.lock("held");
        locker.lock(LockRequest.of("kept").withMinHoldTime(Duration.ofDays(1))).release();
        locks.holdElsewhere("elsewhere");
        locker.tryLock("elsewhere");
        locks.deny("denied");
        locks.loseReply("unheard");
        locks.stall();
        locks.reset();
        assertThat(before).isReleased();
        assertThat(locks.held()).isEmpty();
        for (String key : List.of("held", "kept", "elsewhere", "denied", "unheard")) {
            assertThat(locker).isFree(key);
        }
        assertThat(locker.lock("held")).isNewerThan(before);
    }

    @Test
    void theLockOfAKeyIsFound() {
        LockHandle lock = locker.lock("invoices");
        assertThat(locks.held("invoices")).isSameAs(lock);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> locks.held("other"))
                .withMessageContaining("'other'")
                .withMessageContaining("invoices");
    }

    @Test
    void theClockDoesNotGoBack() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.advance(Duration.ofMillis(-1)))
                .withMessageContaining("PT-0.001S");
        assertThatIllegalArgumentException().isThrownBy(() -> locks.pauseProcess(Duration.ofMillis(-1)));
    }

    @Test
    void aClosedKitGrantsNoLocks() {
        LockHandle lock = locker.lock("invoices");
        locks.close();
        assertThat(lock).isReleased();
        assertThatExceptionOfType(LockBackendException.class).isThrownBy(() -> locker.tryLock("invoices"));
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("the latch was not released");
            }
        } catch (InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }
}
