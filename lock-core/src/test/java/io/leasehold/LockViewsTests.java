package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lock as a {@link Lock}. */
class LockViewsTests {

    private final FakeLocker locker = new FakeLocker();

    private final Lock lock = LockViews.asLock(locker, "k");

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void lockAndUnlock() {
        lock.lock();
        assertThat(locker.granted()).singleElement().matches(FakeHandle::isHeld);
        lock.unlock();
        assertThat(locker.granted()).singleElement().matches(FakeHandle::isReleased);
    }

    @Test
    void lockRetriesUntilItIsGranted() {
        locker.busyNext().busyNext().busyNext();
        lock.lock();
        assertThat(locker.requests())
                .hasSize(4)
                .allMatch(request -> request.key().equals("k"));
    }

    @Test
    void aThreadThatWorksUnderTheLockDoesNotWaitForItself() {
        locker.executeLocked("k", () -> {
            locker.busyNext().busyNext();
            assertThatThrownBy(lock::lock)
                    .isInstanceOf(LockNotAcquiredException.class)
                    .hasMessageContaining("wait for itself");
            assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(LockNotAcquiredException.class);
        });
        lock.lock();
    }

    /** Its attempts do not wait, and would follow each other without a pause until the store has confirmed the lock. */
    @Test
    void aThreadThatWorksUnderALockThatIsNotConfirmedDoesNotWaitForItself() {
        locker.executeLocked("k", () -> {
            FakeHandle own = locker.granted().get(0);
            own.suspect(true);
            locker.busyNext();
            assertThatThrownBy(lock::lock).isInstanceOf(LockNotAcquiredException.class);
            own.suspect(false);
        });
    }

    @Test
    void aThreadThatWorksUnderALostLockWaitsForTheNextHolder() {
        assertThatThrownBy(() -> locker.executeLocked("k", () -> {
                    locker.granted().get(0).lose(LossReason.EXPIRED);
                    locker.busyNext();
                    lock.lock();
                }))
                .isInstanceOf(LockLostException.class);
        assertThat(locker.granted()).hasSize(2);
    }

    @Test
    void lockIsUninterruptibleAndKeepsTheFlag() {
        locker.interruptNext().busyNext();
        Thread.currentThread().interrupt();
        lock.lock();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(locker.granted()).hasSize(1);
    }

    @Test
    void lockInterruptiblyThrowsInterruptedException() {
        locker.interruptNext();
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(locker.granted()).isEmpty();
    }

    @Test
    void anEarlierInterruptEndsATimedTryWithoutARequest() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(locker.requests()).isEmpty();
    }

    @Test
    void tryLockTriesOnce() {
        locker.busyNext();
        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.tryLock()).isTrue();
        assertThat(locker.requests()).hasSize(2).allMatch(request -> Duration.ZERO.equals(request.waitTime()));
    }

    @Test
    void tryLockIsUninterruptibleAndKeepsTheFlag() {
        locker.interruptNext();
        assertThat(lock.tryLock()).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(locker.granted()).hasSize(1);
    }

    @Test
    void aTimedTryWaitsForTheGivenTime() throws InterruptedException {
        assertThat(lock.tryLock(250, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(locker.requests())
                .singleElement()
                .matches(request -> Duration.ofMillis(250).equals(request.waitTime()));
    }

    @Test
    void aNegativeTimeTriesOnce() throws InterruptedException {
        assertThat(lock.tryLock(-5, TimeUnit.SECONDS)).isTrue();
        assertThat(locker.requests()).singleElement().matches(request -> Duration.ZERO.equals(request.waitTime()));
    }

    @Test
    void unlockWithoutLockFails() {
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("'k'")
                .hasMessageContaining("'fake'");
    }

    @Test
    void noMessageHasAKeyThatTheLockerMasks() {
        Locker masking = new FakeLocker() {

            @Override
            public String visibleKey(String key) {
                return LockKeys.mask(key);
            }
        };
        assertThatThrownBy(() -> LockViews.asLock(masking, "alice").unlock())
                .hasMessageContaining(LockKeys.mask("alice"))
                .hasMessageNotContaining("alice");
    }

    @Test
    void unlockOfALostLockFails() {
        lock.lock();
        locker.granted().get(0).lose(LossReason.EXPIRED);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(locker.granted()).singleElement().matches(FakeHandle::isReleased);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void unlockOfALostLockDoesNotReleaseThatOfTheNextThread() throws InterruptedException {
        lock.lock();
        locker.granted().get(0).lose(LossReason.EXPIRED);
        Thread next = new Thread(lock::lock);
        next.start();
        next.join();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(locker.granted().get(1)).matches(FakeHandle::isHeld);
        lock.unlock();
        assertThat(locker.granted().get(1)).matches(FakeHandle::isReleased);
    }

    /** The thread that acquired the lost lock has left its release to another one. */
    @Test
    void unlockOfALostLockOnAThirdThreadDoesNotReleaseThatOfTheNextThread() throws Exception {
        lock.lock();
        locker.granted().get(0).lose(LossReason.EXPIRED);
        ExecutorService next = Executors.newSingleThreadExecutor();
        ExecutorService third = Executors.newSingleThreadExecutor();
        try {
            next.submit(lock::lock).get();
            assertThatThrownBy(() -> third.submit(lock::unlock).get()).hasCauseInstanceOf(LockLostException.class);
            assertThat(locker.granted().get(1)).matches(FakeHandle::isHeld);
            next.submit(lock::unlock).get();
            assertThat(locker.granted().get(1)).matches(FakeHandle::isReleased);
        } finally {
            next.shutdownNow();
            third.shutdownNow();
        }
    }

    @Test
    void theNextThreadReleasesItsOwnLockBeforeTheLostOneIsUnlocked() throws Exception {
        lock.lock();
        locker.granted().get(0).lose(LossReason.EXPIRED);
        Thread next = new Thread(() -> {
            lock.lock();
            lock.unlock();
        });
        next.start();
        next.join();
        assertThat(locker.granted().get(1)).matches(FakeHandle::isReleased);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void theOwnerIsTheViewAndNotTheThread() throws InterruptedException {
        lock.lock();
        Thread other = new Thread(lock::unlock);
        other.start();
        other.join();
        assertThat(locker.granted()).singleElement().matches(FakeHandle::isReleased);
    }

    @Test
    void viewsOfOneKeyAreIndependent() {
        lock.lock();
        Lock other = LockViews.asLock(locker, "k");
        assertThatThrownBy(other::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void conditionsAreNotSupported() {
        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void aBadKeyIsRejectedImmediately() {
        assertThatThrownBy(() -> LockViews.asLock(locker, " ")).isInstanceOf(IllegalArgumentException.class);
    }

    /** The two threads meet in an order that is different each time. */
    @Test
    void aThreadThatHasLostItsLockDoesNotReleaseTheNextOne() throws Exception {
        AtomicInteger meeting = new AtomicInteger();
        ExecutorService next = Executors.newSingleThreadExecutor();
        try {
            // a busy machine takes longer for each meeting
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            for (int round = 0; round < 20_000 && (round == 0 || System.nanoTime() - end < 0); round++) {
                FakeLocker grants = new FakeLocker();
                Lock view = LockViews.asLock(grants, "k");
                view.lock();
                grants.granted().get(0).lose(LossReason.EXPIRED);
                int both = 2 * (round + 1);
                Future<?> acquired = next.submit(() -> {
                    meet(meeting, both);
                    view.lock();
                });
                meet(meeting, both);
                try {
                    view.unlock();
                } catch (LockLostException ownLoss) {
                    // its lock
                }
                acquired.get();
                assertThat(grants.granted().get(1).isReleased())
                        .as("round %d", round)
                        .isFalse();
            }
        } finally {
            next.shutdownNow();
        }
    }

    private static void meet(AtomicInteger meeting, int both) {
        meeting.incrementAndGet();
        while (meeting.get() < both) {
            Thread.onSpinWait();
        }
    }
}
