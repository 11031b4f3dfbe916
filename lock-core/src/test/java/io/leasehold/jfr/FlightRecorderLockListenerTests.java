package io.leasehold.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.leasehold.LockAttempt;
import io.leasehold.LockHandle;
import io.leasehold.LockListener.AcquireOutcome;
import io.leasehold.LockRequest;
import io.leasehold.LossReason;
import io.leasehold.RenewalRound;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.support.Parker;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a recording has of locks, and that they cost nothing without one. */
class FlightRecorderLockListenerTests {

    /** A clock that stands still, so that a lock is handed over however slow the machine is. */
    private static final Ticker STOPPED = new Ticker() {

        @Override
        public long nanos() {
            return 1_000_000_000;
        }

        @Override
        public long wallMillis() {
            return 1_767_225_600_000L;
        }
    };

    private final FlightRecorderLockListener listener = new FlightRecorderLockListener();

    @TempDir
    Path directory;

    @Test
    void waitsAndHoldsAreRecordedWithTheirThreads() throws IOException {
        List<RecordedEvent> events = record(locker -> {
            LockHandle first = locker.lock("order-7");
            CompletableFuture<Optional<LockHandle>> next = locker.tryLockAsync(
                            LockRequest.of("order-7").withWaitTime(Duration.ofMinutes(1)))
                    .toCompletableFuture();
            first.close();
            next.join().orElseThrow().close();
        });

        assertThat(of(LockWaitEvent.NAME, events))
                .hasSize(2)
                .allSatisfy(event -> {
                    assertThat(event.getString("locker")).isEqualTo("deploy");
                    assertThat(event.getString("key")).isEqualTo("order-7");
                    assertThat(event.getString("outcome")).isEqualTo("ACQUIRED");
                })
                .extracting(event -> event.getBoolean("handedOver"))
                .containsExactlyInAnyOrder(false, true);
        assertThat(of(LockHoldEvent.NAME, events))
                .hasSize(2)
                .allSatisfy(event -> {
                    assertThat(event.getString("locker")).isEqualTo("deploy");
                    assertThat(event.getBoolean("lost")).isFalse();
                    assertThat(event.getLong("fencingToken")).isPositive();
                })
                .extracting(event -> name(event.getThread("holder")))
                .containsExactlyInAnyOrder(Thread.currentThread().getName(), "none");
    }

    @Test
    void renewalRoundsAndLossesAreRecorded() throws IOException {
        List<RecordedEvent> events = record(locker -> {
            LockHandle lock = locker.lock("order-7");
            lock.renew();
            listener.lost(lock, LossReason.EXPIRED, Duration.ofSeconds(3));
            lock.close();
        });

        assertThat(of(RenewalRoundEvent.NAME, events)).singleElement().satisfies(event -> {
            assertThat(event.getString("locker")).isEqualTo("deploy");
            assertThat(event.getInt("renewed")).isEqualTo(1);
            assertThat(event.getInt("unanswered")).isZero();
            assertThat(event.getDuration("latency")).isZero();
        });
        assertThat(of(LockLostEvent.NAME, events)).singleElement().satisfies(event -> {
            assertThat(event.getString("key")).isEqualTo("order-7");
            assertThat(event.getString("reason")).isEqualTo("EXPIRED");
            assertThat(event.getDuration("held")).isEqualTo(Duration.ofSeconds(3));
            assertThat(name(event.getThread("holder")))
                    .isEqualTo(Thread.currentThread().getName());
        });
        assertThat(of(LockHoldEvent.NAME, events))
                .singleElement()
                .satisfies(event -> assertThat(event.getBoolean("lost")).isTrue());
    }

    /** As that of a caller that has given up before it received the lock. */
    @Test
    void aLockThatWasReleasedBeforeItsCallerReceivedItIsNotLost() throws IOException {
        List<RecordedEvent> events = record(locker -> {
            LockHandle lock = locker.lock("order-7");
            lock.close();
            listener.acquireEnded(new Attempt("deploy", "order-7", lock), AcquireOutcome.ACQUIRED, Duration.ZERO);
        });
        assertThat(of(LockHoldEvent.NAME, events))
                .hasSize(2)
                .allSatisfy(event -> assertThat(event.getBoolean("lost")).isFalse());
    }

    @Test
    void nothingIsAllocatedWithoutARecording() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Attempt attempt = new Attempt("deploy", "order-7", grant());
        LockHandle handle = attempt.granted();
        RenewalRound round = new RenewalRound("deploy", 1, 0, 0, Duration.ZERO, Duration.ZERO);
        call(attempt, handle, round, 1000);

        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        call(attempt, handle, round, 100_000);
        long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;

        // far less than one byte per call; the measurement itself allocates
        assertThat(allocated).isLessThan(50_000);
    }

    private void call(Attempt attempt, LockHandle handle, RenewalRound round, int times) {
        for (int i = 0; i < times; i++) {
            listener.acquireStarted(attempt);
            listener.acquireEnded(attempt, AcquireOutcome.ACQUIRED, Duration.ZERO);
            listener.renewalRound(round);
            listener.lost(handle, LossReason.EXPIRED, Duration.ZERO);
            listener.released(handle, Duration.ZERO);
        }
    }

    private static LockHandle grant() {
        try (LockEngine engine = new LockEngine(new FlightRecorderLockListener())) {
            return engine.locker(
                            LockerSettings.of("deploy"),
                            "memory",
                            new MemoryLockBackend(System::nanoTime, Clock.systemUTC()))
                    .lock("order-7");
        }
    }

    private List<RecordedEvent> record(Consumer<LeaseLocker> work) throws IOException {
        Path file = directory.resolve("locks.jfr");
        try (Recording recording = new Recording();
                LockEngine engine = new LockEngine(
                        listener,
                        () -> "orders-7",
                        STOPPED,
                        Scheduler.daemon("lock-timer"),
                        Parker.system(),
                        Runnable::run)) {
            recording.enable(LockWaitEvent.class).withoutThreshold();
            recording.enable(LockHoldEvent.class).withoutThreshold();
            recording.enable(RenewalRoundEvent.class);
            recording.enable(LockLostEvent.class);
            recording.start();
            work.accept(engine.locker(
                    LockerSettings.of("deploy"), "memory", new MemoryLockBackend(System::nanoTime, Clock.systemUTC())));
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file);
    }

    private static List<RecordedEvent> of(String name, List<RecordedEvent> events) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }

    private static String name(@Nullable RecordedThread thread) {
        return thread == null ? "none" : thread.getJavaName();
    }

    private record Attempt(String locker, String key, LockHandle granted) implements LockAttempt {}
}
