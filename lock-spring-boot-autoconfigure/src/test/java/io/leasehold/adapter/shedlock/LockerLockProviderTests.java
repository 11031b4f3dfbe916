package io.leasehold.adapter.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.engine.LockerSettings;
import io.leasehold.support.Scheduler;
import io.leasehold.test.Disturbance;
import io.leasehold.test.TestLocks;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What ShedLock's documentation promises of a provider. */
class LockerLockProviderTests {

    private static final Duration TTL = Duration.ofSeconds(30);

    private static final Duration TWELVE_HOURS = Duration.ofHours(12);

    @RegisterExtension
    final TestLocks locks = TestLocks.create();

    private final Timer timer = new Timer();

    private final LockerLockProvider provider = new LockerLockProvider(locks.locker("jobs"), timer);

    @Test
    void aJobThatRunsElsewhereIsNotRun() {
        locks.holdElsewhere("report");
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isEmpty();
    }

    /** A method with ShedLock's annotation and one of this library would never run otherwise, without a trace. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aJobThatWorksUnderItsOwnLockIsReported(CapturedOutput output) throws Exception {
        Locker jobs = locks.locker("jobs");
        LockerLockProvider inside = new LockerLockProvider(jobs, timer);
        LockConfiguration report = configuration(TWELVE_HOURS, Duration.ZERO);
        assertThat(jobs.executeLocked("report", () -> inside.lock(report).isPresent()))
                .isFalse();
        assertThat(output)
                .contains("Job 'report' is skipped")
                .contains("works under this lock of locker 'jobs' already")
                .contains("Remove one of the two locks");
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aJobThatRunsElsewhereIsNotReported(CapturedOutput output) {
        locks.holdElsewhere("report");
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isEmpty();
        assertThat(output).doesNotContain("is skipped");
    }

    @Test
    void aLockIsFreeAfterItsUnlock() {
        lock(TWELVE_HOURS, Duration.ZERO).orElseThrow().unlock();
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isPresent();
    }

    @Test
    void aLockIsUnlockedOnce() {
        SimpleLock lock = lock(TWELVE_HOURS, Duration.ZERO).orElseThrow();
        lock.unlock();
        assertThatIllegalStateException().isThrownBy(lock::unlock);
    }

    @Test
    void lockAtLeastForKeepsAnUnlockedLock() {
        lock(TWELVE_HOURS, Duration.ofMinutes(5)).orElseThrow().unlock();
        advance(Duration.ofMinutes(4));
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isEmpty();
        advance(Duration.ofSeconds(61));
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isPresent();
    }

    @Test
    void aJobThatRunsLongerThanTheTtlKeepsItsLock() {
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isPresent();
        advance(Duration.ofHours(11));
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isEmpty();
    }

    @Test
    void aLockEndsAfterLockAtMostFor() {
        assertThat(lock(Duration.ofMinutes(10), Duration.ZERO)).isPresent();
        advance(Duration.ofMinutes(9));
        assertThat(lock(Duration.ofMinutes(10), Duration.ZERO)).isEmpty();
        advance(Duration.ofMinutes(1));
        assertThat(lock(Duration.ofMinutes(10), Duration.ZERO)).isPresent();
    }

    @Test
    void theJobOfADeadProcessIsFreeAfterTheTtlAndNotAfterLockAtMostFor() {
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isPresent();
        locks.pauseProcess(TTL.plusSeconds(1));
        assertThat(elsewhere().lock(configuration(TWELVE_HOURS, Duration.ZERO))).isPresent();
    }

    @Test
    void theJobOfADeadProcessIsFreeAfterALockAtMostForThatIsShorterThanTheTtl() {
        Duration atMost = Duration.ofSeconds(9);
        assertThat(lock(atMost, Duration.ZERO)).isPresent();
        locks.pauseProcess(atMost.plusSeconds(1));
        assertThat(elsewhere().lock(configuration(atMost, Duration.ZERO))).isPresent();
    }

    @Test
    void theTtlIsThatOfTheLocker() {
        LockerLockProvider longer =
                new LockerLockProvider(locks.locker(LockerSettings.of("jobs").withTtl(Duration.ofMinutes(5))), timer);
        assertThat(longer.lock(configuration(TWELVE_HOURS, Duration.ZERO))).isPresent();
        assertThat(locks.held("report").remaining()).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
        Duration atMost = Duration.ofMinutes(2);
        assertThat(longer.lock(new LockConfiguration(Instant.EPOCH, "other", atMost, Duration.ZERO)))
                .isPresent();
        assertThat(locks.held("other").remaining()).isBetween(Duration.ofMinutes(1), atMost);
    }

    @Test
    void lockAtMostForReplacesTheMaximumHoldTimeOfTheLocker() {
        LockerLockProvider capped = new LockerLockProvider(
                locks.locker(LockerSettings.of("jobs")
                        .withTtl(Duration.ofSeconds(10))
                        .withMaxHoldTime(Duration.ofSeconds(20))),
                timer);
        LockConfiguration hour = configuration(Duration.ofHours(1), Duration.ZERO);
        SimpleLock lock = capped.lock(hour).orElseThrow();
        advance(Duration.ofMinutes(59));
        assertThat(lock.extend(Duration.ofHours(1), Duration.ZERO)).isPresent();
        advance(Duration.ofMinutes(59));
        assertThat(capped.lock(hour)).isEmpty();
        advance(Duration.ofMinutes(1));
        assertThat(capped.lock(hour)).isPresent();
    }

    @Test
    void lockAtMostForMayExceedTheLongestTimeOfASetting() {
        assertThat(lock(Duration.ofDays(400), Duration.ZERO)).isPresent();
    }

    @Test
    void lockAtMostForMayExceedTheNanosecondsOfALong() {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        SimpleLock lock = lock(forever, Duration.ZERO).orElseThrow();
        SimpleLock extended = lock.extend(forever, Duration.ZERO).orElseThrow();
        advance(Duration.ofHours(1));
        assertThat(lock(forever, Duration.ZERO)).isEmpty();
        extended.unlock();
        assertThat(lock(forever, Duration.ZERO)).isPresent();
    }

    /** As the first task of a scheduler whose thread cannot be created. */
    @Test
    void aLockWhoseEndCannotBeScheduledIsFree() {
        OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");
        timer.failure = noThread;
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> lock(TWELVE_HOURS, Duration.ofMinutes(5)))
                .isSameAs(noThread);
        timer.failure = null;
        assertThat(locks.held()).isEmpty();
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isPresent();
    }

    @Test
    void aLockWhoseExtensionCannotBeScheduledKeepsItsEnd() {
        SimpleLock lock = lock(Duration.ofMinutes(10), Duration.ZERO).orElseThrow();
        OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");
        timer.failure = noThread;
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> lock.extend(TWELVE_HOURS, Duration.ZERO))
                .isSameAs(noThread);
        timer.failure = null;
        advance(Duration.ofMinutes(10));
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isPresent();
    }

    @Test
    void aLockIsUnlockedAfterAnExtensionWhoseLockAtLeastForCannotBeScheduled() {
        SimpleLock lock = lock(Duration.ofMinutes(10), Duration.ZERO).orElseThrow();
        timer.failure = new OutOfMemoryError("unable to create native thread");
        timer.callsBeforeFailure = 1;
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> lock.extend(TWELVE_HOURS, Duration.ofMinutes(5)));
        timer.failure = null;
        lock.unlock();
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isPresent();
    }

    /** The locker may go on, as that of a parent context does. */
    @Test
    void theEndOfTheProviderFreesALockThatWasUnlockedBefore() {
        SimpleLock lock = lock(Duration.ofMinutes(10), Duration.ZERO).orElseThrow();
        lock.extend(Duration.ofMinutes(10), Duration.ofMinutes(5)).orElseThrow().unlock();
        provider.close();
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void aLockThatIsUnlockedAfterTheEndOfTheProviderIsFree() {
        SimpleLock lock = lock(Duration.ofMinutes(10), Duration.ZERO).orElseThrow();
        SimpleLock extended =
                lock.extend(Duration.ofMinutes(10), Duration.ofMinutes(5)).orElseThrow();
        provider.close();
        extended.unlock();
        assertThat(locks.held()).isEmpty();
    }

    /** As an appender whose disk is full. */
    @Test
    void aLogThatFailsKeepsNoLock() {
        assertThat(lock(Duration.ofMinutes(10), Duration.ZERO)).isPresent();
        whileTheLogFails(() -> advance(Duration.ofMinutes(10)));
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void aLogThatFailsEndsNoExtension() {
        LockHandle handle = mock();
        doThrow(new LockBackendException("no answer", "jobs", "report", null))
                .when(handle)
                .renew();
        SimpleLock lock = lockOf(handle);
        whileTheLogFails(
                () -> assertThat(lock.extend(TWELVE_HOURS, Duration.ZERO)).isPresent());
    }

    private static void whileTheLogFails(Runnable action) {
        Logger logger = (Logger) LoggerFactory.getLogger(LockerLockProvider.class.getPackageName());
        Appender<ILoggingEvent> failing = mock();
        doThrow(new IllegalStateException("no space left on device"))
                .when(failing)
                .doAppend(any());
        logger.addAppender(failing);
        logger.setLevel(Level.DEBUG);
        try {
            action.run();
        } finally {
            logger.setLevel(null);
            logger.detachAppender(failing);
        }
        verify(failing).doAppend(any());
    }

    @Test
    void anExtendedLockEndsLater() {
        SimpleLock lock = lock(Duration.ofMinutes(10), Duration.ZERO).orElseThrow();
        advance(Duration.ofMinutes(9));
        assertThat(lock.extend(Duration.ofMinutes(10), Duration.ZERO)).isPresent();
        advance(Duration.ofMinutes(9));
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isEmpty();
        advance(Duration.ofMinutes(1));
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isPresent();
    }

    @Test
    void aHeldLockIsExtendedWhileTheStoreIsSlow() {
        SimpleLock lock = lock(Duration.ofMinutes(10), Duration.ZERO).orElseThrow();
        advance(Duration.ofMinutes(9));
        try (Disturbance stall = locks.stall()) {
            assertThat(lock.extend(Duration.ofMinutes(10), Duration.ZERO)).isPresent();
            assertThat(stall).isNotNull();
        }
        advance(Duration.ofMinutes(9));
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isEmpty();
    }

    @Test
    void aJobThatIsKeptAliveKeepsItsLockOverAStallOfTheStore() {
        KeepAlive keepAlive = new KeepAlive();
        SimpleLock lock = keepAlive.lock(Duration.ofMinutes(10)).orElseThrow();
        extend(keepAlive, 3);
        try (Disturbance stall = locks.stall()) {
            keepAlive.extend();
            assertThat(stall).isNotNull();
        }
        extend(keepAlive, 3);
        lock.unlock();
        assertThat(keepAlive.isStopped()).isTrue();
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isPresent();
    }

    private void extend(KeepAlive keepAlive, int times) {
        for (int i = 0; i < times; i++) {
            keepAlive.extend();
            advance(Duration.ofMinutes(9));
            assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isEmpty();
        }
    }

    @Test
    void aJobThatIsKeptAliveIsNotExtendedAfterALoss() {
        KeepAlive keepAlive = new KeepAlive();
        assertThat(keepAlive.lock(Duration.ofMinutes(10))).isPresent();
        locks.lose("report");
        keepAlive.extend();
        assertThat(keepAlive.isStopped()).isTrue();
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isPresent();
    }

    @Test
    void anExtendedLockIsUnlocked() {
        SimpleLock lock = lock(Duration.ofMinutes(10), Duration.ZERO).orElseThrow();
        SimpleLock extended = lock.extend(Duration.ofMinutes(10), Duration.ZERO).orElseThrow();
        assertThatIllegalStateException().isThrownBy(lock::unlock);
        extended.unlock();
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isPresent();
    }

    @Test
    void anExtensionHasItsOwnLockAtLeastFor() {
        SimpleLock lock = lock(Duration.ofMinutes(10), Duration.ZERO).orElseThrow();
        lock.extend(Duration.ofMinutes(10), Duration.ofMinutes(2)).orElseThrow().unlock();
        advance(Duration.ofMinutes(1));
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isEmpty();
        advance(Duration.ofMinutes(1));
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isPresent();
    }

    @Test
    void anExtensionWithoutLockAtLeastForHasNone() {
        SimpleLock lock = lock(Duration.ofMinutes(10), Duration.ofMinutes(5)).orElseThrow();
        lock.extend(Duration.ofMinutes(10), Duration.ZERO).orElseThrow().unlock();
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isPresent();
    }

    @Test
    void theLockAtLeastForOfAnExtensionCountsFromTheExtension() {
        SimpleLock lock = lock(Duration.ofMinutes(10), Duration.ofMinutes(5)).orElseThrow();
        advance(Duration.ofMinutes(4));
        lock.extend(Duration.ofMinutes(10), Duration.ofMinutes(5)).orElseThrow().unlock();
        advance(Duration.ofMinutes(4));
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isEmpty();
        advance(Duration.ofMinutes(1));
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isPresent();
    }

    @Test
    void anExtensionThatEndsBeforeTheFirstLockAtLeastForFreesTheLock() {
        SimpleLock lock = lock(Duration.ofHours(2), Duration.ofHours(1)).orElseThrow();
        assertThat(lock.extend(Duration.ofMinutes(1), Duration.ofMinutes(1))).isPresent();
        advance(Duration.ofSeconds(59));
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isEmpty();
        advance(Duration.ofSeconds(1));
        assertThat(lock(TWELVE_HOURS, Duration.ZERO)).isPresent();
    }

    @Test
    void anUnlockedLockCannotBeExtended() {
        SimpleLock lock = lock(TWELVE_HOURS, Duration.ZERO).orElseThrow();
        lock.unlock();
        assertThatIllegalStateException().isThrownBy(() -> lock.extend(TWELVE_HOURS, Duration.ZERO));
    }

    @Test
    void aLostLockCannotBeExtended() {
        SimpleLock lock = lock(TWELVE_HOURS, Duration.ZERO).orElseThrow();
        locks.lose("report");
        assertThat(lock.extend(TWELVE_HOURS, Duration.ZERO)).isEmpty();
    }

    /**
     * As after the suspension of the machine, until the store has confirmed the lock. ShedLock would not unlock a lock
     * whose extension was refused, and it would be renewed until lockAtMostFor.
     */
    @Test
    void aLockThatIsNotConfirmedIsExtended() {
        LockHandle handle = mock();
        LockBackendException noAnswer = new LockBackendException("no answer", "jobs", "report", null);
        doThrow(noAnswer).when(handle).renew();
        doThrow(noAnswer).when(handle).requireHeld();
        SimpleLock extended = lockOf(handle).extend(TWELVE_HOURS, Duration.ZERO).orElseThrow();
        verify(handle).renew();
        extended.unlock();
        verify(handle).release();
    }

    private SimpleLock lockOf(LockHandle handle) {
        Locker locker = mock();
        when(locker.withoutTransactions()).thenReturn(locker);
        when(locker.tryLock(any(LockRequest.class))).thenReturn(Optional.of(handle));
        return new LockerLockProvider(locker, timer)
                .lock(configuration(TWELVE_HOURS, Duration.ZERO))
                .orElseThrow();
    }

    @Test
    void aLockThatReachedLockAtMostForCannotBeExtended() {
        SimpleLock lock = lock(Duration.ofMinutes(10), Duration.ZERO).orElseThrow();
        advance(Duration.ofMinutes(10));
        assertThat(lock.extend(TWELVE_HOURS, Duration.ZERO)).isEmpty();
    }

    @Test
    void lockAtLeastForIsNotLongerThanLockAtMostFor() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock(Duration.ofMinutes(1), Duration.ofMinutes(2)))
                .withMessageContaining("report");
        SimpleLock lock = lock(TWELVE_HOURS, Duration.ZERO).orElseThrow();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.extend(Duration.ofMinutes(1), Duration.ofMinutes(2)))
                .withMessageContaining("report");
    }

    private Optional<SimpleLock> lock(Duration atMost, Duration atLeast) {
        return provider.lock(configuration(atMost, atLeast));
    }

    private LockerLockProvider elsewhere() {
        Locker locker = locks.engine(new LockListener() {})
                .locker(LockerSettings.of("jobs"), TestLocks.BACKEND, locks.backend());
        return new LockerLockProvider(locker, timer);
    }

    private static LockConfiguration configuration(Duration atMost, Duration atLeast) {
        return new LockConfiguration(Instant.EPOCH, "report", atMost, atLeast);
    }

    private void advance(Duration time) {
        locks.advance(time);
        timer.advance(time.toNanos());
    }

    /** ShedLock's provider that extends a lock at half of its lockAtMostFor, here whenever the test says so. */
    private final class KeepAlive {

        private final ScheduledExecutorService scheduler = mock(ScheduledExecutorService.class);

        private final CompletableFuture<Void> schedule = new CompletableFuture<>();

        private Runnable extension = () -> {};

        Optional<SimpleLock> lock(Duration atMost) {
            ScheduledFuture<?> task = mock();
            when(task.cancel(anyBoolean())).thenAnswer(call -> schedule.cancel(false));
            when(scheduler.scheduleAtFixedRate(any(), anyLong(), eq(atMost.toMillis() / 2), any()))
                    .thenAnswer(call -> {
                        extension = call.getArgument(0);
                        return task;
                    });
            return new KeepAliveLockProvider(provider, scheduler)
                    .lock(new LockConfiguration(ClockProvider.now(), "report", atMost, Duration.ZERO));
        }

        /** A scheduler would drop the task if this failed. */
        void extend() {
            extension.run();
        }

        boolean isStopped() {
            return schedule.isCancelled();
        }
    }

    /** Runs tasks when the test moves the clock. */
    private static final class Timer implements Scheduler {

        private final List<Due> tasks = new ArrayList<>();

        private long now;

        private @Nullable Error failure;

        private int callsBeforeFailure;

        @Override
        public Task schedule(Runnable task, long delayNanos) {
            if (failure != null && callsBeforeFailure-- <= 0) {
                throw failure;
            }
            Due due = new Due(task, now + delayNanos);
            tasks.add(due);
            return () -> tasks.remove(due);
        }

        void advance(long nanos) {
            now += nanos;
            List<Due> due = tasks.stream().filter(task -> task.at() <= now).toList();
            tasks.removeAll(due);
            due.forEach(task -> task.task().run());
        }

        private record Due(Runnable task, long at) {}
    }
}
