package io.leasehold.adapter.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doCallRealMethod;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRES_NEW;

import io.leasehold.LockBackendException;
import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockKeys;
import io.leasehold.LockListener;
import io.leasehold.LockLostException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.aop.FakeTransactions;
import io.leasehold.aop.transaction.TransactionAwareLocker;
import io.leasehold.autoconfigure.locker.KeyMaskingLocker;
import io.leasehold.engine.LockerSettings;
import io.leasehold.locker.DelegatingLocker;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import io.leasehold.test.TestLocks;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.util.CheckedCallable;
import org.springframework.integration.util.CheckedRunnable;

/** What Spring Integration expects of a registry. */
class LockerLockRegistryTests {

    private static final Duration TTL = Duration.ofSeconds(30);

    @RegisterExtension
    final TestLocks locks = TestLocks.create();

    private final FakeTransactions transactions = new FakeTransactions();

    private final LockerLockRegistry registry = new LockerLockRegistry(locks.locker("integration"));

    @Test
    void aThreadEntersItsLockAgain() {
        DistributedLock lock = registry.obtain("key");
        lock.lock();
        assertThat(registry.obtain("key").tryLock()).isTrue();
        lock.unlock();
        assertThat(locks.held("key").isHeld()).isTrue();
        lock.unlock();
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void executeLockedHoldsTheLockDuringTheWork() throws Exception {
        registry.executeLocked(
                "key", () -> assertThat(locks.held("key").isHeld()).isTrue());
        String result =
                registry.executeLocked("key", TTL, () -> locks.held("key").key());
        assertThat(result).isEqualTo("key");
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void executeLockedTakesAnyWaitTime() throws Exception {
        for (Duration waitTime : List.of(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MIN_VALUE))) {
            String result = registry.executeLocked(
                    "key", waitTime, () -> locks.held("key").key());
            assertThat(result).isEqualTo("key");
        }
    }

    @Test
    void executeLockedThrowsTheFailureOfTheWorkAfterALoss() {
        CheckedRunnable<IOException> run = () -> {
            locks.lose("key");
            throw new IOException("work");
        };
        CheckedCallable<String, IOException> call = () -> {
            run.run();
            return "";
        };
        for (ThrowingCallable execution : List.<ThrowingCallable>of(
                () -> registry.executeLocked("key", run),
                () -> registry.executeLocked("key", call),
                () -> registry.executeLocked("key", TTL, run),
                () -> registry.executeLocked("key", TTL, call))) {
            assertThatIOException()
                    .isThrownBy(execution)
                    .withMessage("work")
                    .satisfies(failure ->
                            assertThat(failure.getSuppressed()).hasExactlyElementsOfTypes(LockLostException.class));
        }
        assertThat(registry.obtain("key").tryLock()).isTrue();
    }

    @Test
    void executeLockedThrowsALossDuringWorkThatSucceeds() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> registry.executeLocked("key", () -> locks.lose("key")));
    }

    @Test
    void executeLockedRefusesAResultThatGoesOn() throws Exception {
        assertThatIllegalStateException()
                .isThrownBy(() -> registry.executeLocked("key", () -> new CompletableFuture<String>()))
                .withMessageContaining("lock 'key' of locker 'integration'")
                .withMessageContaining("goes on without the lock");
        assertThatIllegalStateException().isThrownBy(() -> registry.executeLocked("key", TTL, () -> Stream.of("a")));
        assertThat(locks.held()).isEmpty();
        CompletableFuture<String> done = CompletableFuture.completedFuture("a");
        assertThat(registry.<Object, RuntimeException>executeLocked("key", () -> done))
                .isSameAs(done);
    }

    @Test
    void executeLockedReturnsAStreamWhileItsThreadHoldsTheLock() throws Exception {
        DistributedLock outer = registry.obtain("key");
        outer.lock();
        assertThat(registry.<Stream<String>, RuntimeException>executeLocked("key", () -> Stream.of("a")))
                .containsExactly("a");
        outer.unlock();
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void executeLockedDoesNotRunUnderALockThatIsBusy() {
        locks.holdElsewhere("key");
        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> registry.executeLocked("key", Duration.ZERO, () -> fail("runs without its lock")))
                .withMessageContaining("key");
    }

    @Test
    void anotherThreadDoesNotGetIt() {
        registry.obtain("key").lock();
        assertThat(elsewhere(() -> registry.obtain("key").tryLock())).isFalse();
    }

    @Test
    void anotherProcessDoesNotGetIt() {
        registry.obtain("key").lock();
        assertThat(otherProcess().obtain("key").tryLock()).isFalse();
    }

    @Test
    void anotherThreadDoesNotUnlockIt() {
        registry.obtain("key").lock();
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> elsewhere(() -> {
                    registry.obtain("key").unlock();
                    return true;
                }))
                .withMessageContaining("key");
        assertThat(locks.held("key").isHeld()).isTrue();
    }

    @Test
    void anInterruptedThreadTriesToLockAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        try {
            assertThat(registry.obtain("key").tryLock()).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        assertThat(locks.held("key").isHeld()).isTrue();
    }

    @Test
    void aTtlIsHonoured() throws InterruptedException {
        DistributedLock lock = registry.obtain("key");
        lock.lock(Duration.ofMinutes(5));
        assertThat(locks.held("key").remaining()).isGreaterThan(Duration.ofMinutes(4));
        lock.unlock();
        assertThat(lock.tryLock(Duration.ZERO, Duration.ofMinutes(2))).isTrue();
        assertThat(locks.held("key").remaining()).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
    }

    @Test
    void aShorterTtlOfANestedLockLeavesTheLongerOne() throws InterruptedException {
        DistributedLock lock = registry.obtain("key");
        lock.lock(Duration.ofMinutes(5));
        assertThat(lock.tryLock(Duration.ZERO, Duration.ofSeconds(2))).isTrue();
        assertThat(locks.held("key").remaining()).isGreaterThan(Duration.ofMinutes(4));
        lock.lock(Duration.ofMinutes(8));
        assertThat(locks.held("key").remaining()).isGreaterThan(Duration.ofMinutes(7));
    }

    @Test
    void aWaitTimeIsHonoured() throws InterruptedException {
        locks.holdElsewhere("key");
        assertThat(registry.obtain("key").tryLock(Duration.ofSeconds(5), TTL)).isFalse();
    }

    @Test
    void aLockIsRenewed() {
        registry.obtain("key").lock();
        registry.renewLock("key", Duration.ofMinutes(5));
        assertThat(locks.held("key").remaining()).isGreaterThan(Duration.ofMinutes(4));
        assertThat(elsewhere(() -> {
                    registry.renewLock("key");
                    return true;
                }))
                .isTrue();
    }

    @Test
    void aLockThatIsNotHeldIsNotRenewed() {
        assertThatIllegalStateException()
                .isThrownBy(() -> registry.renewLock("key"))
                .withMessageContaining("key");
    }

    @Test
    void aLostLockStaysLostUntilItIsUnlocked() {
        DistributedLock lock = registry.obtain("key");
        lock.lock();
        locks.lose("key");
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::tryLock);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::lock);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> registry.renewLock("key"));
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
        assertThat(lock.tryLock()).isTrue();
    }

    /** As after the suspension of the machine, until the store has confirmed the lock. */
    @Test
    void aLockThatIsNotConfirmedIsConfirmedByTheStore() {
        LockHandle handle = mock();
        doCallRealMethod().when(handle).requireConfirmed();
        LockBackendException unconfirmed = new LockBackendException("suspended", "integration", "key", null);
        doThrow(unconfirmed)
                .doNothing()
                .doThrow(unconfirmed)
                .doNothing()
                .when(handle)
                .requireHeld();
        DistributedLock lock = registryOf(handle).obtain("key");
        lock.lock();
        lock.lock();
        lock.unlock();
        lock.unlock();
        verify(handle, times(2)).renew();

        doThrow(unconfirmed).when(handle).requireHeld();
        lock.lock();
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(lock::unlock)
                .isSameAs(unconfirmed);
        verify(handle, times(2)).close();
    }

    /** Its attempts do not wait, and would follow each other without a pause until the store has confirmed the lock. */
    @Test
    void aThreadThatWorksUnderALockThatIsNotConfirmedDoesNotWaitForItself() throws Exception {
        Object space = new Object();
        LockHandle own = mock();
        when(own.lockSpace()).thenReturn(space);
        when(own.key()).thenReturn("key");
        doThrow(new LockBackendException("suspended", "integration", "key", null))
                .when(own)
                .requireHeld();
        Locker locker = lockerOf(mock());
        when(locker.lockSpace()).thenReturn(space);
        when(locker.tryLock(any(LockRequest.class)))
                .thenReturn(Optional.empty())
                .thenReturn(Optional.of(own));
        when(locker.notAcquired("key", Duration.ZERO))
                .thenReturn(CompletableFuture.completedFuture(
                        new LockNotAcquiredException("integration", "key", Duration.ZERO)));
        DistributedLock lock = new LockerLockRegistry(locker).obtain("key");
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(() -> LockContext.call(own, () -> {
                    lock.lock();
                    return "locked";
                }));
    }

    private static LockerLockRegistry registryOf(LockHandle handle) {
        return new LockerLockRegistry(lockerOf(handle));
    }

    private static Locker lockerOf(LockHandle handle) {
        Locker locker = mock();
        when(locker.withoutTransactions()).thenReturn(locker);
        when(locker.withoutKeyCustomizers()).thenReturn(locker);
        when(locker.visibleKey("key")).thenReturn("key");
        when(locker.tryLock(any(LockRequest.class))).thenReturn(Optional.of(handle));
        return locker;
    }

    @Test
    void aThreadThatWorksUnderTheLockDoesNotWaitForItself() {
        DistributedLock lock = registry.obtain("key");
        locks.locker("integration").executeLocked("key", () -> {
            assertThatExceptionOfType(LockNotAcquiredException.class)
                    .isThrownBy(lock::lock)
                    .withMessageContaining("wait for itself");
            assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(lock::lockInterruptibly);
            assertThat(lock.tryLock()).isFalse();
        });
        assertThat(lock.tryLock()).isTrue();
    }

    /** The attempts of a thread that would wait for itself do not wait, and would follow each other without a pause. */
    @Test
    void aThreadThatWorksUnderTheLockOfAnotherLockerDoesNotWaitForItself() {
        AtomicInteger attempts = new AtomicInteger();
        Locker other =
                new DelegatingLocker(locks.locker(LockerSettings.of("other").withNamespace("integration"))) {
                    @Override
                    public Optional<LockHandle> tryLock(LockRequest request) {
                        assertThat(attempts.incrementAndGet()).isLessThan(10);
                        return super.tryLock(request);
                    }
                };
        DistributedLock lock = new LockerLockRegistry(other).obtain("key");
        locks.locker("integration").executeLocked("key", () -> {
            assertThatExceptionOfType(LockNotAcquiredException.class)
                    .isThrownBy(lock::lock)
                    .withMessageContaining("works under this lock");
            assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(lock::lockInterruptibly);
        });
    }

    /** As with the registries of Spring Integration. A lock of {@code Locker} would end with the transaction. */
    @Test
    void aLockEndsWithItsUnlockInsideATransaction() {
        Locker participating = TransactionAwareLocker.of(locks.locker("integration"));
        DistributedLock lock = new LockerLockRegistry(participating).obtain("key");
        assertThat(CompletableFuture.runAsync(() -> inTransaction(() -> {
                    for (int i = 0; i < 2; i++) {
                        lock.lock();
                        assertThat(lock.tryLock()).isTrue();
                        lock.unlock();
                        assertThat(locks.held("key").isHeld()).isTrue();
                        lock.unlock();
                        assertThat(locks.held()).isEmpty();
                    }
                    assertThat(otherProcess().obtain("key").tryLock()).isTrue();
                })))
                .succeedsWithin(TTL);
    }

    /** The locker is one of the application around ours, which changes keys. */
    @Test
    void aThreadDoesNotWaitForALockThatItsTransactionKeeps() {
        Locker participating = new DelegatingLocker(TransactionAwareLocker.of(locks.locker("integration"))) {
            @Override
            protected String delegateKey(String key) {
                return "test/" + key;
            }
        };
        DistributedLock lock = new LockerLockRegistry(participating).obtain("key");
        assertThat(CompletableFuture.runAsync(() -> inTransaction(() -> {
                    participating.executeLocked("key", () -> {});
                    assertNotAcquiredFromTransaction(lock::lock);
                    assertNotAcquiredFromTransaction(lock::lockInterruptibly);
                    assertNotAcquiredFromTransaction(() -> inTransaction(PROPAGATION_REQUIRES_NEW, lock::lock));
                    assertThat(lock.tryLock()).isFalse();
                    locks.lose("test/key");
                    lock.lock();
                    lock.unlock();
                })))
                .failsWithin(TTL)
                .withThrowableThat()
                .withCauseInstanceOf(LockLostException.class);
        assertThat(lock.tryLock()).isTrue();
    }

    private static void assertNotAcquiredFromTransaction(ThrowingCallable locking) {
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(locking)
                .withMessageContaining("lock 'test/key' of locker 'integration'")
                .withMessageContaining("a transaction of the calling thread keeps it");
    }

    private void inTransaction(Runnable work) {
        inTransaction(PROPAGATION_REQUIRED, work);
    }

    private void inTransaction(int propagation, Runnable work) {
        transactions.template(propagation).executeWithoutResult(status -> work.run());
    }

    @Test
    void aKeyThatIsNoTextIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.obtain(new UUID(0, 7)))
                .withMessageContaining("java.util.UUID")
                .withMessageContaining("00000007");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.obtain(" "))
                .withMessageContaining("blank");
    }

    @Test
    void noMessageHasAKeyThatTheLockerMasks() {
        LockerLockRegistry masking = new LockerLockRegistry(KeyMaskingLocker.of(locks.locker("integration"), true));
        String masked = LockKeys.mask("alice@example.org");
        assertThat(masking.obtain("alice@example.org")).hasToString("lock '" + masked + "'");
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> masking.obtain("alice@example.org").unlock())
                .withMessageContaining(masked)
                .withMessageNotContaining("alice");
        assertThatIllegalStateException()
                .isThrownBy(() -> masking.renewLock("alice@example.org"))
                .withMessageContaining(masked)
                .withMessageNotContaining("alice");
        locks.holdElsewhere(masked);
        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> masking.executeLocked("alice@example.org", Duration.ZERO, () -> {}))
                .withMessageContaining(masked)
                .withMessageNotContaining("alice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> masking.obtain(List.of("alice@example.org")))
                .withMessageContaining(LockKeys.mask("[alice@example.org]"))
                .withMessageNotContaining("alice");
    }

    @Test
    void aLeaderLeadsAgainAndAgainUntilItsLockIsLost() {
        List<String> events = new CopyOnWriteArrayList<>();
        LockRegistryLeaderInitiator initiator = initiator(registry, events);
        initiator.start();
        try {
            await().until(() -> events.contains("granted"));
            await().until(() -> initiator.getContext().isLeader());
            assertThat(otherProcess().obtain("leader").tryLock()).isFalse();
            locks.lose("leader");
            await().untilAsserted(() -> assertThat(events).startsWith("granted", "revoked", "granted"));
        } finally {
            initiator.destroy();
        }
        await().untilAsserted(() -> assertThat(locks.held()).isEmpty());
        assertThat(otherProcess().obtain("leader").tryLock()).isTrue();
    }

    @Test
    void aStoppedLeaderIsFollowedByAnotherProcess() {
        List<String> first = new CopyOnWriteArrayList<>();
        List<String> second = new CopyOnWriteArrayList<>();
        LockRegistryLeaderInitiator leader = initiator(registry, first);
        LockRegistryLeaderInitiator follower = initiator(otherProcess(), second);
        leader.start();
        try {
            await().until(() -> first.contains("granted"));
            follower.start();
            assertThat(second).isEmpty();
            leader.destroy();
            await().untilAsserted(() -> {
                locks.advance(Duration.ofMillis(50));
                assertThat(second).contains("granted");
            });
            assertThat(first).containsExactly("granted", "revoked");
        } finally {
            leader.destroy();
            follower.destroy();
        }
    }

    /** Nothing renews the lock of a process that was killed. */
    @Test
    void aKilledLeaderIsFollowedWhenItsTtlHasPassed() {
        LockId leader = LockId.of("integration", "leader");
        assertThat(locks.backend().acquire(new AcquireCommand(leader, new Token(1, 1), TTL, 1, false)))
                .succeedsWithin(Duration.ofSeconds(30))
                .isInstanceOf(AcquireAnswer.Granted.class);
        List<String> events = new CopyOnWriteArrayList<>();
        LockRegistryLeaderInitiator follower = initiator(registry, events);
        follower.start();
        try {
            await().until(() -> locks.waiting() == 1);
            locks.advance(TTL.minusMillis(1));
            assertThat(events).isEmpty();
            locks.advance(Duration.ofMillis(100));
            await().until(() -> events.contains("granted"));
        } finally {
            follower.destroy();
        }
    }

    private LockerLockRegistry otherProcess() {
        return new LockerLockRegistry(locks.engine(new LockListener() {})
                .locker(LockerSettings.of("integration"), TestLocks.BACKEND, locks.backend()));
    }

    private static LockRegistryLeaderInitiator initiator(LockerLockRegistry registry, List<String> events) {
        LockRegistryLeaderInitiator initiator =
                new LockRegistryLeaderInitiator(registry, new DefaultCandidate("id", "leader") {

                    @Override
                    public void onGranted(Context context) {
                        super.onGranted(context);
                        events.add("granted");
                    }

                    @Override
                    public void onRevoked(Context context) {
                        super.onRevoked(context);
                        events.add("revoked");
                    }
                });
        initiator.setHeartBeatMillis(20);
        initiator.setBusyWaitMillis(20);
        return initiator;
    }

    private static boolean elsewhere(BooleanSupplier work) {
        try {
            return CompletableFuture.supplyAsync(work::getAsBoolean).join();
        } catch (CompletionException ex) {
            if (ex.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw ex;
        }
    }
}
