package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockKeys;
import io.leasehold.LockLostException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.LockViews;
import io.leasehold.Locker;
import io.leasehold.LossReason;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.testsupport.RecordedLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A thread that wants a lock that it holds itself. */
class OwnLockTests extends EngineInVirtualTime {

    private static final Duration LONG = Duration.ofSeconds(30);

    private static final LockRequest PATIENT = LockRequest.of("service").withWaitTime(Duration.ofHours(1));

    @Test
    void aThreadThatWorksUnderTheLockDoesNotWait() throws Exception {
        Optional<LockHandle> inner = locker.executeLocked("service", () -> locker.tryLock(PATIENT));
        assertThat(inner).isEmpty();
        assertThat(locker.status().waiting()).isZero();
        assertThat(locker.queues().all()).isEmpty();
    }

    /** As the body of a method that returns a stage, or of a suspending function. */
    @Test
    void aThreadThatWorksUnderALockThatWasAcquiredAsynchronouslyDoesNotWait() throws Exception {
        LockHandle handle = locker.tryLockAsync(LockRequest.of("service"))
                .toCompletableFuture()
                .join()
                .orElseThrow();
        CompletableFuture<Optional<LockHandle>> inner = new CompletableFuture<>();
        Thread body = new Thread(() -> {
            try {
                inner.complete(LockContext.call(handle, () -> locker.tryLock(PATIENT)));
            } catch (Exception ex) {
                inner.completeExceptionally(ex);
            }
        });
        body.setDaemon(true);
        body.start();
        assertThat(inner).succeedsWithin(LONG).isEqualTo(Optional.empty());
    }

    @Test
    void theMessageNamesTheWorkUnderTheLock() throws Exception {
        locker.executeLocked("other", () -> locker.executeLocked("service", this::lockAgain));
    }

    private Void lockAgain() throws Exception {
        return locker.executeLocked("inner", () -> {
            assertThatExceptionOfType(LockNotAcquiredException.class)
                    .isThrownBy(() -> locker.lock(PATIENT))
                    .withMessageContainingAll("works under this lock", "executeLocked");
            return null;
        });
    }

    @Test
    void aThreadThatHoldsAHandleWaitsBecauseAnotherMayReleaseIt() {
        LockHandle handle = locker.lock("service");
        CompletableFuture<Void> helper = CompletableFuture.runAsync(() -> {
            await().atMost(LONG).until(() -> locker.status().waiting() == 1);
            handle.close();
        });
        assertThat(locker.tryLock(PATIENT)).isPresent();
        helper.join();
    }

    @Test
    void theMessageSaysThatTheThreadHoldsTheLock() {
        locker.lock("service");
        time.pass(Duration.ofMillis(7));
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(() -> locker.lock(LockRequest.of("service").withWaitTime(Duration.ZERO)))
                .withMessageContaining("the calling thread acquired it 7 ms ago, has not released it");
    }

    @Test
    void theLogShowsWhereLocksAreAcquiredAtTheLevelOfTheMessage() {
        try (RecordedLog log = new RecordedLog(LeaseLocker.class, Level.TRACE)) {
            LockHandle handle = locker.lock("service");
            assertThat(locker.tryLock("service")).isEmpty();
            assertThat(log.messages()).containsExactly("Acquired " + handle);
            assertThat(log.events().get(0).getThrowableProxy().getStackTraceElementProxyArray())
                    .anyMatch(
                            frame -> frame.getStackTraceElement().getClassName().equals(OwnLockTests.class.getName()));
        }
    }

    @Test
    void aLockThatWasHandedOverBelongsToTheThreadThatWaited() {
        LockHandle first = locker.lock("service");
        CompletableFuture<String> waiter = onAThread(() -> {
            locker.tryLock(PATIENT).orElseThrow();
            return refusal(locker);
        });
        await().atMost(LONG).until(() -> locker.status().waiting() == 1);
        first.close();
        assertThat(waiter).succeedsWithin(LONG).asString().contains("the calling thread acquired it");
        assertThat(refusal(locker)).contains("by this process or another");
    }

    @Test
    void aLockOfAnAsynchronousCallBelongsToNoThread() {
        assertThat(locker.tryLockAsync(PATIENT)).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(refusal(locker)).contains("by this process or another");
    }

    @Test
    void workThatAnotherThreadContinuesWaits() throws Exception {
        LockHandle handle = locker.lock("service");
        CompletableFuture<Optional<LockHandle>> continued = onAThread(() -> under(handle));
        await().atMost(LONG).until(() -> locker.status().waiting() == 1);
        handle.close();
        assertThat(continued)
                .succeedsWithin(LONG)
                .satisfies(granted -> assertThat(granted).isPresent());
    }

    /** Lockers with the same namespace and store have the same locks. */
    @Test
    void aCallOfAnotherLockerJoinsTheSameLock() throws Exception {
        Locker other = other(locker.state().settings().namespace(), backend);
        long outer = locker.executeLocked("service", OwnLockTests::token);
        long inner = locker.executeLocked("service", () -> other.executeLocked("service", OwnLockTests::token));
        assertThat(inner).isGreaterThan(outer);
        assertThat(backend.acquired).hasSize(2);
    }

    /** The application has passed the handle on, so no outer call checks it. */
    @Test
    void workThatJoinsALockFailsIfTheLockIsLostMeanwhile() {
        LeaseHandle handle = (LeaseHandle) locker.lock("service");
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> LockContext.call(
                        handle,
                        () -> locker.executeLocked("service", () -> {
                            handle.lease().lose(LossReason.EXPIRED);
                            return 1;
                        })));
    }

    /** Otherwise it would write with the fencing token of the lock in between. */
    @Test
    void workThatJoinsALockHasItAsTheCurrentOne() throws Exception {
        Locker other = other(locker.state().settings().namespace(), backend);
        for (Locker inner : List.of(locker, other)) {
            String key = locker.executeLocked(
                    "service",
                    () -> locker.executeLocked("basket", () -> inner.executeLocked("service", OwnLockTests::key)));
            assertThat(key).isEqualTo("service");
        }
    }

    @Test
    void aThreadThatWorksUnderTheLockOfAnotherLockerDoesNotWait() throws Exception {
        Locker other = other(locker.state().settings().namespace(), backend);
        locker.executeLocked("service", () -> {
            busy();
            assertThat(other.tryLock(PATIENT)).isEmpty();
            assertThat(refusal(other)).contains("works under this lock");
        });
        assertThat(backend.acquired).hasSize(2);
    }

    /** A view repeats an attempt until it succeeds. Attempts that do not wait would follow each other without a pause. */
    @Test
    void aViewDoesNotAskAgainAndAgainForTheLockOfAnotherLocker() throws Exception {
        Lock view = LockViews.asLock(other(locker.state().settings().namespace(), backend), "service");
        locker.executeLocked("service", () -> {
            busy();
            for (ThrowingCallable lock : List.<ThrowingCallable>of(view::lock, view::lockInterruptibly)) {
                assertThatExceptionOfType(LockNotAcquiredException.class)
                        .isThrownBy(lock)
                        .withMessageContaining("works under this lock");
            }
        });
        assertThat(backend.acquired).hasSize(3);
    }

    @Test
    void theMessageSaysThatTheThreadHoldsTheLockFromAnotherLocker() {
        Locker other = other(locker.state().settings().namespace(), backend);
        locker.lock("service");
        time.pass(Duration.ofMillis(7));
        assertThat(refusal(other)).contains("the calling thread acquired it 7 ms ago");
    }

    /** As lockers with a circuit breaker each. */
    @Test
    void lockersThatDecorateOneStoreHaveTheSameLocks() throws Exception {
        Locker one = decorating("one");
        Locker other = decorating("other");
        one.executeLocked("service", () -> other.executeLocked("service", OwnLockTests::token));
        assertThat(backend.acquired).hasSize(1);
    }

    @Test
    void lockersWithAnotherNamespaceOrStoreHaveOtherLocks() throws Exception {
        ScriptedBackend elsewhere = new ScriptedBackend();
        Locker ofOther = other("other", backend);
        Locker inOther = other(locker.state().settings().namespace(), elsewhere);
        locker.executeLocked("service", () -> {
            assertThat(refusal(ofOther)).contains("by this process or another");
            assertThat(refusal(inOther)).contains("by this process or another");
            ofOther.executeLocked("service", () -> inOther.executeLocked("service", () -> {}));
        });
        assertThat(backend.acquired).hasSize(2);
        assertThat(elsewhere.acquired).hasSize(1);
    }

    /** A locker that masks keys has the mask in the store, a locker that does not has the key itself. */
    @Test
    void theMaskOfAKeyIsAnotherLockThanTheKey() throws Exception {
        locker.executeLocked(LockKeys.mask("service"), () -> {
            locker.executeLocked("service", () -> {});
            assertThat(refusal(locker)).contains("by this process or another");
        });
        assertThat(backend.acquired).hasSize(2);
    }

    private LeaseLocker other(String namespace, ScriptedBackend store) {
        return engine.locker(VirtualTime.settings("other").withNamespace(namespace), "scripted", store);
    }

    private Locker decorating(String name) {
        return engine.locker(
                VirtualTime.settings(name).withNamespace("shop"),
                "scripted",
                "",
                backend,
                store -> new DelegatingLockBackend(store) {});
    }

    private static String key() {
        return LockContext.current().orElseThrow().key();
    }

    private static long token() {
        return LockContext.current().orElseThrow().fencingToken();
    }

    private void busy() {
        backend.onAcquire = command -> {
            assertThat(backend.acquired).hasSizeLessThan(10);
            return ScriptedBackend.done(new AcquireAnswer.Busy(Duration.ofSeconds(1)));
        };
    }

    private Optional<LockHandle> under(LockHandle handle) {
        try {
            return LockContext.call(handle, () -> locker.tryLock(PATIENT));
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }

    private static String refusal(Locker locker) {
        return locker.notAcquired("service", Duration.ZERO)
                .toCompletableFuture()
                .join()
                .getMessage();
    }
}
