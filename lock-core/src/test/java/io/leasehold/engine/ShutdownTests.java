package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.LockerStatus;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.support.Scheduler;
import io.leasehold.testsupport.RecordedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The shutdown of an engine: its waits, its notifications and the remaining state. */
class ShutdownTests extends EngineInVirtualTime {

    private static final Duration LONG = Duration.ofSeconds(30);

    ShutdownTests() {
        super(VirtualTime.settings("deploy").withTtl(TTL).withCommandTimeout(Duration.ofMillis(100)));
    }

    @Test
    void aShutdownWaitsForHolders() {
        LockHandle lock = locker.lock("service");
        CompletableFuture<Boolean> finished = onAThread(() -> engine.shutdown(LONG));
        awaitStop();
        assertWaits(finished);
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.release()).isTrue();
        assertThat(finished).succeedsWithin(LONG).isEqualTo(true);
        assertThat(listener.events).containsExactly("acquire ACQUIRED", "released");
    }

    @Test
    void withoutHoldersThereIsNothingToWaitFor() {
        locker.lock("service").close();
        assertThat(onAThread(() -> engine.shutdown(Duration.ofHours(1))))
                .succeedsWithin(LONG)
                .isEqualTo(true);
    }

    /** Such as the timeout of a shutdown phase that is to have no end. */
    @Test
    void theLongestGraceIsAWaitForHolders() {
        LockHandle lock = locker.lock("service");
        CompletableFuture<Boolean> finished = onAThread(() -> engine.shutdown(Duration.ofSeconds(Long.MAX_VALUE)));
        awaitStop();
        assertWaits(finished);
        assertThat(lock.release()).isTrue();
        assertThat(finished).succeedsWithin(LONG).isEqualTo(true);
    }

    @Test
    void anOpenCommandIsWaitedForNoLongerThanTheCommandTimeout() {
        backend.onAcquire = command -> ScriptedBackend.never();
        CompletableFuture<Optional<LockHandle>> asked =
                locker.tryLockAsync(LockRequest.of("service")).toCompletableFuture();
        assertThat(onAThread(() -> engine.shutdown(Duration.ofHours(1))))
                .succeedsWithin(LONG)
                .isEqualTo(true);
        assertThat(asked).isNotDone();
    }

    @Test
    void aGrantToAPendingCommandIsReleasedBeforeTheShutdownEnds() {
        waitLongForCommands();
        CompletableFuture<AcquireAnswer> answer = ScriptedBackend.never();
        CompletableFuture<ReleaseAnswer> removed = ScriptedBackend.never();
        backend.onAcquire = command -> answer;
        backend.onRelease = command -> removed;
        CompletableFuture<Optional<LockHandle>> asked =
                locker.tryLockAsync(LockRequest.of("service")).toCompletableFuture();
        CompletableFuture<Boolean> shutdown = onAThread(() -> engine.shutdown(Duration.ZERO));
        awaitStop();
        assertWaits(shutdown);
        answer.complete(new Granted(7));
        awaitRelease();
        boolean endedBefore = shutdown.isDone();
        removed.complete(ReleaseAnswer.RELEASED);
        assertThat(asked).failsWithin(LONG).withThrowableThat().withMessageContaining("being shut down");
        assertThat(backend.released).hasSize(1);
        assertThat(endedBefore).isFalse();
        assertThat(shutdown).succeedsWithin(LONG).isEqualTo(true);
    }

    @Test
    void aNameThatIsNotRecordedIsLogged() {
        assertThat(logOfAnUnrecordedName()).singleElement().asString().contains("not recorded", "connection closed");
    }

    @Test
    void aNameThatIsNotRecordedBecauseOfTheShutdownIsNotLogged() {
        onAThread(() -> engine.shutdown(LONG)).join();
        assertThat(logOfAnUnrecordedName()).isEmpty();
    }

    private List<String> logOfAnUnrecordedName() {
        backend.onIntroduce =
                instance -> CompletableFuture.failedFuture(new IllegalStateException("connection closed"));
        try (RecordedLog log = new RecordedLog(LockerState.class, Level.INFO)) {
            locker.state().connect().join();
            return log.messages();
        }
    }

    @Test
    void aReleaseThatIsUnderWayIsWaitedFor() {
        waitLongForCommands();
        LockHandle lock = locker.lock("service");
        CompletableFuture<ReleaseAnswer> answer = ScriptedBackend.never();
        backend.onRelease = command -> answer;
        CompletableFuture<Boolean> released = lock.releaseAsync().toCompletableFuture();
        CompletableFuture<Boolean> shutdown = onAThread(() -> engine.shutdown(Duration.ZERO));
        awaitStop();
        assertWaits(shutdown);
        answer.complete(ReleaseAnswer.RELEASED);
        assertThat(shutdown).succeedsWithin(LONG).isEqualTo(true);
        assertThat(released).isCompletedWithValue(true);
    }

    @Test
    void aThreadThatIsQueuedInTheStoreLeavesTheQueueBeforeTheShutdownEnds() {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(LONG, ScriptedBackend.never(), true));
        CompletableFuture<Optional<LockHandle>> waiting =
                onAThread(() -> locker.tryLock(LockRequest.of("service").withWaitTime(LONG)));
        await().atMost(LONG).until(() -> locker.status().waiting() == 1);
        CompletableFuture<ReleaseAnswer> removed = ScriptedBackend.never();
        backend.onRelease = command -> removed;
        CompletableFuture<Boolean> shutdown = onAThread(() -> engine.shutdown(Duration.ZERO));
        assertThat(waiting).failsWithin(LONG).withThrowableThat().withMessageContaining("being shut down");
        awaitRelease();
        assertThat(shutdown).isNotDone();
        removed.complete(ReleaseAnswer.RELEASED);
        assertThat(shutdown).succeedsWithin(LONG).isEqualTo(true);
    }

    @Test
    void aCloseWithoutAShutdownWaitsForOpenCommandsToo() {
        waitLongForCommands();
        CompletableFuture<AcquireAnswer> answer = ScriptedBackend.never();
        backend.onAcquire = command -> answer;
        locker.tryLockAsync(LockRequest.of("service"));
        CompletableFuture<Void> closed = CompletableFuture.runAsync(engine::close);
        awaitStop();
        assertWaits(closed);
        answer.complete(new Granted(7));
        awaitRelease();
        assertThat(closed).succeedsWithin(LONG);
        assertThat(backend.released).hasSize(1);
    }

    @Test
    void theWaitForASilentStoreIsLimited() {
        locker.lock("service");
        backend.onRelease = command -> ScriptedBackend.never();
        long start = time.nanos();
        assertThat(shutdown()).isFalse();
        assertThat(time.nanos() - start).isEqualTo(Duration.ofSeconds(1).toNanos());
        assertThat(locker.status().pendingRemovals()).isOne();
    }

    @Test
    void aCommandIsWaitedForAsLongAsItsTimeoutAllows() {
        LeaseLocker patient = waitLongForCommands();
        CompletableFuture<AcquireAnswer> answer = ScriptedBackend.never();
        backend.onAcquire = command -> answer;
        patient.tryLockAsync(LockRequest.of("service"));
        time.schedule(
                () -> answer.complete(new Granted(7)), Duration.ofSeconds(29).toNanos());
        shutdown();
        assertThat(backend.released).isNotEmpty();
    }

    @Test
    void aCloseEndsTheThreadsOfTheEngine() {
        List<String> ended = new ArrayList<>();
        Scheduler timer = new Scheduler() {

            @Override
            public Task schedule(Runnable task, long delayNanos) {
                return time.schedule(task, delayNanos);
            }

            @Override
            public void close() {
                ended.add("timer");
            }
        };
        EngineExecutors threads = EngineExecutors.daemons();
        time.close(time.engine(listener, time, timer, threads));
        assertThat(ended).containsExactly("timer");
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> threads.async().execute(() -> {}));
    }

    @Test
    void aShutdownWaitsForTheSecondRemovalOfAnAbandonedAcquisition() {
        backend.onAcquire = command -> ScriptedBackend.never();
        locker.tryLockAsync(LockRequest.of("service")).toCompletableFuture().cancel(true);
        time.pass(Duration.ZERO);
        assertThat(backend.released)
                .as("the removal may have overtaken the acquisition")
                .hasSize(1);
        assertThat(locker.status().pendingRemovals()).isOne();
        time.pass(Duration.ofMillis(100));
        assertThat(locker.status().pendingRemovals()).isZero();
    }

    /** Its command may have been executed since. */
    @Test
    void aShutdownRemovesAnAbandonedAcquisitionOnceMore() {
        backend.onAcquire = command -> ScriptedBackend.never();
        locker.tryLockAsync(LockRequest.of("service")).toCompletableFuture().cancel(true);
        time.pass(Duration.ofMillis(100));
        assertThat(locker.status().pendingRemovals()).isZero();
        int removals = backend.released.size();
        shutdown();
        assertThat(backend.released).hasSize(removals + 1);
        assertThat(locker.status().pendingRemovals()).isZero();
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() {
        LockHandle lock = locker.lock("service");
        Thread.currentThread().interrupt();
        assertThat(time.moveDuring(() -> engine.shutdown(Duration.ofHours(1)))).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(lock.isHeld()).isFalse();
        assertThat(listener.events).endsWith("lost SHUTDOWN");
    }

    @Test
    void anUninterruptedShutdownLeavesTheFlagAlone() {
        shutdown();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aClosedEngineEndsHeldLocksAndGrantsNone() {
        LockHandle lock = locker.lock("service");
        time.close(engine);
        assertThat(lock.isHeld()).isFalse();
        assertThat(listener.events).endsWith("lost SHUTDOWN");
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> locker.tryLock("service"))
                .withMessageContainingAll("'service'", "'deploy'", "shut down");
    }

    @Test
    void callersThatWaitForTheStoreFailImmediately() {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(LONG, ScriptedBackend.never(), true));
        CompletableFuture<Optional<LockHandle>> waiting = locker.tryLockAsync(
                        LockRequest.of("service").withWaitTime(LONG))
                .toCompletableFuture();
        assertThat(locker.status().waiting()).isOne();
        shutdown();
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
    void aGrantThatArrivesAfterTheShutdownIsReleased() {
        CompletableFuture<AcquireAnswer> answer = ScriptedBackend.never();
        backend.onAcquire = command -> answer;
        CompletableFuture<Optional<LockHandle>> asked =
                locker.tryLockAsync(LockRequest.of("service")).toCompletableFuture();
        engine.shutdown(Duration.ZERO);
        assertThat(asked).isNotDone();
        answer.complete(new Granted(7));
        assertThat(asked).failsWithin(LONG).withThrowableThat().withMessageContaining("being shut down");
        assertThat(listener.events).containsExactly("acquire ERROR");
        time.pass(Duration.ZERO);
        assertThat(backend.released).hasSize(1);
    }

    @Test
    void aLockerThatIsClosedAloneLosesItsLocksAndIsForgotten() {
        LeaseLocker other = engine.locker(VirtualTime.settings("billing").withTtl(TTL), "scripted", backend);
        LockHandle lost = other.lock("invoice");
        LockHandle kept = locker.lock("service");
        time.moveDuring(() -> {
            engine.close(other);
            return other;
        });
        time.pass(Duration.ZERO);
        assertThat(lost.isHeld()).isFalse();
        assertThat(kept.isHeld()).isTrue();
        assertThat(backend.released).hasSize(1);
        assertThat(engine.status()).extracting(LockerStatus::locker).containsExactly("deploy");
        engine.resume();
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> other.tryLock("invoice"))
                .withMessageContainingAll("'invoice'", "'billing'", "shut down");
    }

    @Test
    void afterAResumeLocksAreGrantedAgain() {
        shutdown();
        engine.resume();
        assertThat(locker.tryLock("service")).isPresent();
        LeaseLocker made = engine.locker(VirtualTime.settings("made-after"), "scripted", backend);
        assertThat(made.tryLock("service")).isPresent();
    }

    /** It may have a token that the restored copies of a checkpoint share. */
    @Test
    void aCallThatDoesNotRunBetweenShutdownAndResumeEnds() {
        backend.onAcquire = command -> ScriptedBackend.done(new AcquireAnswer.Busy(LONG, null, true));
        CompletableFuture<Optional<LockHandle>> asked =
                onAThread(() -> locker.tryLock(LockRequest.of("service").withWaitTime(LONG)));
        await().atMost(LONG).until(() -> locker.status().waiting() == 1);
        LockerState state = locker.state();
        state.stop();
        state.resume();
        locker.queues().signalAll();
        assertThat(asked)
                .failsWithin(LONG)
                .withThrowableThat()
                .withCauseInstanceOf(LockBackendException.class)
                .withMessageContainingAll("'service'", "'deploy'", "shut down");
    }

    @Test
    void aLockerThatIsCreatedAfterAShutdownGrantsNoLockBeforeTheResume() {
        shutdown();
        LeaseLocker late = engine.locker(VirtualTime.settings("late"), "scripted", backend);
        assertThatExceptionOfType(LockBackendException.class).isThrownBy(() -> late.tryLock("service"));
        engine.resume();
        assertThat(late.tryLock("service")).isPresent();
    }

    /** The shutdown sets its flag and looks for leases before the grant is in the queue. */
    @Test
    void aLeaseThatTheShutdownDidNotSeeIsLost() {
        List<LeaseLocker> stopped = new ArrayList<>();
        Scheduler stopping = (task, delay) -> {
            stopped.forEach(late -> late.state().stop());
            return time.schedule(task, delay);
        };
        LockEngine other = time.engine(listener, time, stopping, VirtualTime.callersThread());
        stopped.add(other.locker(VirtualTime.settings("late"), "scripted", backend));
        assertThat(stopped.get(0).tryLock("service"))
                .hasValueSatisfying(lock -> assertThat(lock.isHeld()).isFalse());
        assertThat(listener.events).containsExactly("lost SHUTDOWN", "acquire ACQUIRED");
        time.pass(Duration.ZERO);
        assertThat(backend.released).hasSize(1);
    }

    @Test
    void anAsynchronousCallAfterTheShutdownFailsTheFuture() {
        shutdown();
        assertThat(locker.tryLockAsync(LockRequest.of("service")).toCompletableFuture())
                .failsWithin(LONG)
                .withThrowableThat()
                .withCauseInstanceOf(LockBackendException.class)
                .withMessageContainingAll("'service'", "'deploy'", "shut down");
    }

    /** Shuts the engine down without grace. Its waits take no real time. */
    private boolean shutdown() {
        return time.moveDuring(() -> engine.shutdown(Duration.ZERO));
    }

    /**
     * Adds a locker with a long command timeout. A shutdown waits for commands for the longest timeout of all lockers.
     */
    private LeaseLocker waitLongForCommands() {
        LockerSettings patient =
                VirtualTime.settings("patient").withTtl(Duration.ofHours(1)).withCommandTimeout(LONG);
        return engine.locker(patient, "scripted", backend);
    }

    /**
     * Lets the removal run as soon as the thread that takes the answer, this one or that of the shutdown, has scheduled
     * it.
     */
    private void awaitRelease() {
        await().atMost(LONG).until(() -> {
            time.pass(Duration.ZERO);
            return !backend.released.isEmpty();
        });
    }

    /** Spins, because a shutdown waits for only a second of real time by default. */
    private void awaitStop() {
        while (!locker.state().isStopped()) {
            Thread.onSpinWait();
        }
    }

    /** Requires that a shutdown does not end during several of its polls. Its first step, the flag, proves no wait. */
    private static void assertWaits(CompletableFuture<?> shutdown) {
        assertThat(shutdown).failsWithin(Duration.ofMillis(200)).withThrowableOfType(TimeoutException.class);
    }
}
