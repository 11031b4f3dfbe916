package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockRequest;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.support.Parker;
import io.leasehold.testsupport.FailingLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A thread that waits for a lock, behind a holder of this process and for the store. */
class BlockingAcquisitionTests extends EngineInVirtualTime {

    private static final Duration LONG = Duration.ofSeconds(30);

    private static final Duration SHORT = Duration.ofMillis(100);

    private final CompletableFuture<Optional<LockHandle>> result = new CompletableFuture<>();

    private final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();

    BlockingAcquisitionTests() {
        super(VirtualTime.settings("deploy").withCommandTimeout(SHORT));
    }

    @Test
    void aWaiterBehindAHolderIsHandedItsLease() {
        LockHandle holder = locker.lock("service");
        startWaiting(Duration.ofHours(1));
        holder.close();
        assertThat(result)
                .succeedsWithin(LONG)
                .satisfies(lock -> assertThat(lock.orElseThrow().isHeld()).isTrue());
        assertThat(backend.acquired).hasSize(1);
        assertThat(locker.status().waiting()).isZero();
    }

    @Test
    void aLogThatFailsKeepsNoLock() {
        FailingLog.during(() -> locker.lock("service").close());
        assertThat(locker.status().holds()).isEmpty();
        assertThat(backend.released).hasSize(1);
    }

    @Test
    void anInterruptEndsTheWaitBehindAHolder() {
        LockHandle holder = locker.lock("service");
        startWaiting(Duration.ofHours(1)).interrupt();
        assertThatItWasInterrupted();
        holder.close();
        assertThat(backend.released).hasSize(1);
        assertThat(locker.queues().all()).isEmpty();
    }

    @Test
    void aWaitBehindAHolderEndsByTheClock() {
        LockHandle holder = locker.lock("service");
        startWaiting(SHORT);
        time.pass(SHORT);
        assertThat(result).succeedsWithin(LONG).isEqualTo(Optional.empty());
        assertThat(holder.isHeld()).isTrue();
        assertThat(backend.acquired).hasSize(1);
    }

    @Test
    void theStoresWakeupEndsTheWaitForAnother() {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(Duration.ofHours(1), turn, true));
        startWaiting(Duration.ofHours(1));
        backend.onAcquire = command -> ScriptedBackend.done(new Granted(7));
        turn.complete(null);
        assertThat(result)
                .succeedsWithin(LONG)
                .satisfies(lock -> assertThat(lock.orElseThrow().fencingToken()).isEqualTo(7));
    }

    @Test
    void anInterruptEndsTheWaitForTheStoresWakeup() {
        backend.onAcquire =
                command -> ScriptedBackend.done(new Busy(Duration.ofHours(1), ScriptedBackend.never(), true));
        startWaiting(Duration.ofHours(1)).interrupt();
        assertThatItWasInterrupted();
        time.pass(Duration.ZERO);
        assertThat(backend.released).hasSize(1);
        assertThat(locker.queues().all()).isEmpty();
    }

    @Test
    void theStoresAnswerIsWaitedForNoLongerThanTheCommandTimeout() {
        backend.onAcquire = command -> ScriptedBackend.never();
        start(Duration.ZERO);
        await().atMost(LONG).until(() -> backend.acquired.size() == 1);
        time.pass(SHORT);
        assertThat(result)
                .failsWithin(LONG)
                .withThrowableThat()
                .withCauseInstanceOf(LockBackendException.class)
                .withMessageContaining("no answer within the command timeout");
        time.pass(Duration.ZERO);
        assertThat(backend.released).hasSize(1);
    }

    @Test
    void anEngineThatIsShutDownEndsTheWait() {
        locker.lock("service");
        startWaiting(Duration.ofHours(1));
        time.moveDuring(() -> engine.shutdown(Duration.ZERO));
        assertThat(result).failsWithin(LONG).withThrowableThat().withMessageContaining("being shut down");
    }

    @Test
    void theThreadSleepsUntilTheEndOfItsWaitTime() {
        locker.lock("service");
        long start = time.nanos();
        assertThat(time.moveDuring(
                        () -> locker.tryLock(LockRequest.of("service").withWaitTime(SHORT))))
                .isEmpty();
        assertThat(time.nanos() - start).isEqualTo(SHORT.toNanos());
    }

    @Test
    void aLockIsGivenToAThreadThatIsInterruptedAtTheSameMoment() {
        List<LockHandle> held = new ArrayList<>();
        List<Thread> unparked = new ArrayList<>();
        LeaseLocker other = lockerWhoseThreadsSleep(unparked, () -> {
            held.get(0).close();
            Thread.currentThread().interrupt();
        });
        held.add(other.lock("service"));
        Optional<LockHandle> lock = other.tryLock(LockRequest.of("service").withWaitTime(SHORT));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(lock)
                .hasValueSatisfying(handle -> assertThat(handle.isHeld()).isTrue());
        assertThat(unparked).containsExactly(Thread.currentThread());
    }

    @Test
    void anInterruptCountsMoreThanTheEndOfTheWaitTime() {
        LeaseLocker other = lockerWhoseThreadsSleep(new ArrayList<>(), () -> {
            time.freeze(SHORT);
            Thread.currentThread().interrupt();
        });
        other.lock("service");
        assertThatExceptionOfType(LockInterruptedException.class)
                .isThrownBy(() -> other.tryLock(LockRequest.of("service").withWaitTime(SHORT)));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(other.status().waiting()).isZero();
    }

    /** A locker whose threads run a task in place of sleeping. */
    private LeaseLocker lockerWhoseThreadsSleep(List<Thread> unparked, Runnable asleep) {
        Parker parker = new Parker() {

            @Override
            public void park(Object blocker, long nanos) {
                asleep.run();
            }

            @Override
            public void unpark(Thread thread) {
                unparked.add(thread);
            }
        };
        return new LockEngine(listener, () -> "other", time, time, parker, Runnable::run)
                .locker(VirtualTime.settings("other"), "scripted", backend);
    }

    private Thread startWaiting(Duration waitTime) {
        Thread thread = start(waitTime);
        await().atMost(LONG).until(() -> locker.status().waiting() == 1);
        return thread;
    }

    private Thread start(Duration waitTime) {
        Thread thread = new Thread(() -> {
            try {
                result.complete(locker.tryLock(LockRequest.of("service").withWaitTime(waitTime)));
            } catch (RuntimeException ex) {
                interrupted.complete(Thread.currentThread().isInterrupted());
                result.completeExceptionally(ex);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void assertThatItWasInterrupted() {
        assertThat(result)
                .failsWithin(LONG)
                .withThrowableThat()
                .withCauseInstanceOf(LockInterruptedException.class)
                .withMessageContainingAll("'service'", "'deploy'");
        assertThat(interrupted).isCompletedWithValue(true);
        assertThat(locker.status().waiting()).isZero();
    }
}
