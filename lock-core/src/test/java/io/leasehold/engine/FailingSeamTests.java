package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockRequest;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import io.leasehold.testsupport.QuietLog;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each call of a step to a seam may throw, at any time. The key stays usable, and no token stays in the store. */
class FailingSeamTests {

    private static final Duration LONG = Duration.ofHours(1);

    private final QuietLog quiet = new QuietLog("io.leasehold");

    private final VirtualTime time = new VirtualTime();

    private final ScriptedBackend backend = new ScriptedBackend();

    /** The number of calls of seams that succeed before one throws; negative for no failure. */
    private int callsUntilFailure = -1;

    private final LockEngine engine = time.engine(
            new LockListener() {},
            new FailingTicker(),
            this::schedule,
            new EngineExecutors(failing(Runnable::run), failing(Runnable::run), failing(Runnable::run)));

    private final LeaseLocker locker = engine.locker(
            VirtualTime.settings("deploy").withCommandTimeout(Duration.ofSeconds(1)), "scripted", backend);

    /** Another lock, whose renewal is due later than the first one of a lock of a test. */
    private final LockHandle leader = locker.lock(LockRequest.of("leader").withTtl(Duration.ofMinutes(1)));

    static IntStream calls() {
        return IntStream.range(0, 40);
    }

    @AfterEach
    void close() {
        callsUntilFailure = -1;
        time.close(engine);
        quiet.close();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aBlockingAcquisition(int calls) {
        callsUntilFailure = calls;
        try {
            locker.tryLock("service").ifPresent(FailingSeamTests::release);
        } catch (Broken ex) {
            assertThat(callsUntilFailure).isNegative();
        }
        assertThatTheKeyIsUsable();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aBlockingAcquisitionOfABusyLock(int calls) {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(LONG));
        callsUntilFailure = calls;
        try {
            assertThat(locker.tryLock("service")).isEmpty();
        } catch (Broken ex) {
            assertThat(callsUntilFailure).isNegative();
        }
        assertThatTheKeyIsUsable();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void anAsynchronousAcquisitionThatWaits(int calls) {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(LONG, ScriptedBackend.never(), true));
        callsUntilFailure = calls;
        CompletableFuture<Optional<LockHandle>> asked;
        try {
            asked = locker.tryLockAsync(LockRequest.of("service").withWaitTime(Duration.ofSeconds(2)))
                    .toCompletableFuture();
        } catch (Broken ex) {
            assertThatTheKeyIsUsable();
            return;
        }
        passTime(Duration.ofSeconds(3));
        callsUntilFailure = -1;
        passTime(Duration.ofSeconds(3));
        assertThat(asked).isDone();
        assertThatTheKeyIsUsable();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void anAsynchronousAcquisitionThatDoesNotWaitForAHolder(int calls) {
        LockHandle holder = locker.lock("service");
        callsUntilFailure = calls;
        try {
            assertThat(locker.tryLockAsync(LockRequest.of("service").withWaitTime(Duration.ZERO)))
                    .isDone();
        } catch (Broken ex) {
            assertThat(callsUntilFailure).isNegative();
        }
        callsUntilFailure = -1;
        assertThat(holder.release()).isTrue();
        assertThatTheKeyIsUsable();
    }

    /** The token becomes that of the lease, which is handed over to the next caller. */
    @ParameterizedTest
    @MethodSource("calls")
    void aGrantToATokenThatWasQueuedInTheStore(int calls) {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(Duration.ofMillis(100), null, true));
        CompletableFuture<Optional<LockHandle>> asked = waitForALongTime();
        CompletableFuture<Optional<LockHandle>> behind = waitForALongTime();
        backend.onAcquire = command -> ScriptedBackend.done(new Granted(100));
        callsUntilFailure = calls;
        passTime(Duration.ofMillis(100));
        callsUntilFailure = -1;
        passTime(Duration.ofSeconds(2));
        LeaseHandle holder = (LeaseHandle) Stream.of(asked, behind)
                .filter(caller -> caller.isDone() && !caller.isCompletedExceptionally())
                .flatMap(caller -> caller.join().stream())
                .findFirst()
                .orElseThrow();
        assertThat(holder.isHeld()).isTrue();
        assertThat(backend.released)
                .extracting(ReleaseCommand::token)
                .doesNotContain(holder.lease().token());
        behind.cancel(true);
        holder.close();
        assertThatTheKeyIsUsable();
    }

    /** Neither the holder nor the next caller would otherwise end the lease, which is renewed. */
    @ParameterizedTest
    @MethodSource("calls")
    void aReleaseThatMayBeAHandOver(int calls) {
        LockHandle holder = locker.lock("service");
        CompletableFuture<Optional<LockHandle>> behind = waitForALongTime();
        callsUntilFailure = calls;
        release(holder);
        callsUntilFailure = -1;
        passTime(Duration.ofSeconds(2));
        assertThat(holder.hasEnded()).isTrue();
        assertThat(behind).isDone();
        if (!behind.isCompletedExceptionally()) {
            behind.join().ifPresent(LockHandle::close);
        }
        assertThatTheKeyIsUsable();
    }

    /** A lease that counts as being renewed, although no renewal is under way, would expire under its holder. */
    @ParameterizedTest
    @MethodSource("calls")
    void aRenewal(int calls) {
        LockHandle first = locker.lock("first");
        LockHandle second = locker.lock(LockRequest.of("second").withTtl(Duration.ofMinutes(1)));
        callsUntilFailure = calls;
        passTime(Duration.ofMinutes(2));
        callsUntilFailure = -1;
        passTime(Duration.ofMinutes(2));
        assertThat(first.release()).isTrue();
        assertThat(second.release()).isTrue();
        assertThatTheKeyIsUsable();
    }

    /** A removal that ended and stays counted would delay each shutdown, and keep later tokens from being removed. */
    @ParameterizedTest
    @MethodSource("calls")
    void aRemoval(int calls) {
        LockHandle lock = locker.lock("service");
        backend.onRelease = command -> ScriptedBackend.never();
        callsUntilFailure = calls;
        try {
            lock.releaseAsync();
        } catch (Broken ex) {
            lock.releaseAsync();
        }
        passTime(Duration.ofSeconds(3));
        backend.onRelease = new ScriptedBackend().onRelease;
        assertThatTheKeyIsUsable();
    }

    private CompletableFuture<Optional<LockHandle>> waitForALongTime() {
        return locker.tryLockAsync(LockRequest.of("service").withWaitTime(LONG)).toCompletableFuture();
    }

    @Test
    void anErrorOfTheBackendIsAnUnknownOutcome() {
        backend.onAcquire = command -> {
            throw new StackOverflowError();
        };
        assertThatThrownBy(() -> locker.tryLock("service")).hasMessageContaining("StackOverflowError");
        time.pass(Duration.ZERO);
        assertThat(backend.released).hasSize(1);
        assertThatTheKeyIsUsable();
    }

    @Test
    void theTokenOfACommandThatCannotBeCancelledIsRemoved() {
        backend.onAcquire = command -> notCancellable();
        CompletableFuture<Optional<LockHandle>> asked = waitForALongTime();
        assertThat(asked.cancel(true)).isTrue();
        passTime(Duration.ZERO);
        assertThat(backend.released).hasSize(1);
        assertThatTheKeyIsUsable();
    }

    @Test
    void aPlaceInTheQueueOfTheStoreWhoseWakeupCannotBeCancelledIsLeft() {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(LONG, notCancellable(), true));
        assertThat(waitForALongTime().cancel(true)).isTrue();
        passTime(Duration.ZERO);
        assertThat(backend.released).hasSize(1);
        assertThatTheKeyIsUsable();
    }

    @Test
    void aReleaseThatCannotBeCancelledIsRepeated() {
        LockHandle lock = locker.lock("service");
        backend.onRelease = command -> notCancellable();
        CompletableFuture<Boolean> released = lock.releaseAsync().toCompletableFuture();
        passTime(Duration.ofSeconds(2));
        assertThat(released).isCompletedWithValue(false);
        assertThat(backend.released).hasSizeGreaterThan(1);
        backend.onRelease = new ScriptedBackend().onRelease;
        assertThatTheKeyIsUsable();
    }

    @Test
    void aRenewalThatCannotBeCancelledIsRepeated() {
        LockHandle lock = locker.lock("service");
        backend.onRenew = commands -> notCancellable();
        passTime(Duration.ofSeconds(15));
        backend.onRenew = new ScriptedBackend().onRenew;
        passTime(LONG);
        assertThat(lock.isHeld()).isTrue();
        lock.close();
        assertThatTheKeyIsUsable();
    }

    @Test
    void aQuestionThatCannotBeCancelledEnds() {
        backend.onDescribe = FailingSeamTests::notCancellable;
        CompletableFuture<?> described = locker.describe("service").toCompletableFuture();
        passTime(Duration.ofSeconds(2));
        assertThat(described).isCompletedExceptionally();
        assertThatTheKeyIsUsable();
    }

    @Test
    void aConnectionThatCannotBeCancelledIsOpenedAgain() {
        backend.onConnect = FailingSeamTests::notCancellable;
        CompletableFuture<Optional<LockHandle>> asked = waitForALongTime();
        passTime(Duration.ofSeconds(9));
        backend.onConnect = new ScriptedBackend().onConnect;
        passTime(Duration.ofSeconds(2));
        assertThat(asked).isDone();
        asked.join().orElseThrow().close();
        assertThatTheKeyIsUsable();
    }

    private static <T> CompletableFuture<T> notCancellable() {
        return new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                throw new Broken();
            }
        };
    }

    @Test
    void aForeignLockThatExpiresInTheYear9999IsBusy() {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(Duration.ofDays(365L * 8_000)));
        assertThat(locker.tryLock("service")).isEmpty();
        CompletableFuture<Optional<LockHandle>> asked = locker.tryLockAsync(
                        LockRequest.of("service").withWaitTime(Duration.ofSeconds(2)))
                .toCompletableFuture();
        time.pass(Duration.ofSeconds(3));
        assertThat(asked).isCompletedWithValue(Optional.empty());
        assertThatTheKeyIsUsable();
    }

    private static void release(LockHandle lock) {
        try {
            lock.release();
        } catch (Broken ex) {
            // the lock is already released, or it is still held and can be released
            lock.release();
        }
    }

    private void assertThatTheKeyIsUsable() {
        callsUntilFailure = -1;
        backend.onAcquire = new ScriptedBackend().onAcquire;
        passTime(Duration.ofMinutes(2));
        assertThat(leader.release()).as("the other lock was held").isTrue();
        assertThat(locker.queues().all()).isEmpty();
        assertThat(locker.state().openCalls()).hasValue(0);
        assertThat(locker.status().pendingRemovals()).isZero();
        assertThat(locker.status().waiting()).isZero();
        assertThat(locker.tryLock("service")).hasValueSatisfying(LockHandle::close);
    }

    private void passTime(Duration duration) {
        try {
            time.pass(duration);
        } catch (Broken ex) {
            passTime(duration);
        }
    }

    private Scheduler.Task schedule(Runnable task, long delay) {
        fail();
        return time.schedule(task, delay);
    }

    private Executor failing(Executor executor) {
        return task -> {
            if (callsUntilFailure == 0) {
                callsUntilFailure = -1;
                throw new RejectedExecutionException("full");
            }
            fail();
            executor.execute(task);
        };
    }

    private void fail() {
        if (callsUntilFailure >= 0 && callsUntilFailure-- == 0) {
            throw new Broken();
        }
    }

    private final class FailingTicker implements Ticker {

        @Override
        public long nanos() {
            fail();
            return time.nanos();
        }

        @Override
        public long wallMillis() {
            fail();
            return time.wallMillis();
        }
    }

    private static final class Broken extends Error {
        private static final long serialVersionUID = 1L;
    }
}
