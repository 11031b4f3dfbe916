package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.leasehold.ForcedRelease;
import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockAttempt;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockListener.AcquireOutcome;
import io.leasehold.LockListener.RenewOutcome;
import io.leasehold.LossReason;
import io.leasehold.RenewalRound;
import io.leasehold.testsupport.FailingLog;
import io.leasehold.testsupport.RecordedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A listener is notified of every event. Its exceptions are logged. */
class EngineListenerTests {

    private static final List<String> EVERYTHING = List.of(
            "connected true",
            "started",
            "ended ACQUIRED",
            "renewed SUCCESS",
            "round of 3",
            "at risk",
            "lost EXPIRED",
            "force released FREE",
            "released");

    private static final List<String> OF_CALLERS = List.of("started", "ended ACQUIRED", "released");

    private final RecordedLog log = new RecordedLog(EngineListener.class);

    private final List<String> told = new ArrayList<>();

    private final VirtualTime time = new VirtualTime();

    private final LockEngine engine = time.engine(new LockListener() {});

    private final LockHandle handle = engine.locker(VirtualTime.settings("deploy"), "scripted", new ScriptedBackend())
            .lock("service");

    @AfterEach
    void close() {
        time.close(engine);
        log.close();
    }

    @Test
    void itIsNotifiedOfEveryEvent() {
        notifyOfEveryEvent(new EngineListener(new Told(), Runnable::run));
        assertThat(told).containsExactlyElementsOf(EVERYTHING);
        assertThat(log.events()).isEmpty();
    }

    @Test
    void itsExceptionsAreLogged() {
        notifyOfEveryEvent(new EngineListener(new Failing(), Runnable::run));
        assertThat(told).containsExactlyElementsOf(EVERYTHING);
        assertThat(log.events()).hasSameSizeAs(EVERYTHING).allSatisfy(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage()).isEqualTo("a listener failed; locks are not affected");
            assertThat(event.getThrowableProxy().getMessage()).isEqualTo("thrown by a listener");
        });
    }

    @Test
    void eventsWithoutACallerAreReportedOnTheExecutor() {
        List<Runnable> later = new ArrayList<>();
        notifyOfEveryEvent(new EngineListener(new Told(), later::add));
        assertThat(told).containsExactlyElementsOf(OF_CALLERS);
        later.forEach(Runnable::run);
        assertThat(told).containsExactlyInAnyOrderElementsOf(EVERYTHING);
    }

    @Test
    void aCallThatTheExecutorRejectsIsLogged() {
        notifyOfEveryEvent(new EngineListener(new Told(), task -> {
            throw new RejectedExecutionException("closed");
        }));
        assertThat(told).containsExactlyElementsOf(OF_CALLERS);
        assertThat(log.messages())
                .hasSize(EVERYTHING.size() - OF_CALLERS.size())
                .allMatch("a listener was not called: the engine is closed"::equals);
    }

    /** Listeners that measure holds wait for the end of each, and would keep its handle. */
    @Test
    void aSlowListenerMissesRenewalsAndNoEndOfAHold() {
        List<Runnable> later = new ArrayList<>();
        EngineListener listener = new EngineListener(new Told(), later::add);
        for (int i = 0; i < 20_000; i++) {
            listener.renewed(handle, RenewOutcome.SUCCESS);
        }
        listener.lost(handle, LossReason.EXPIRED, Duration.ZERO);
        listener.releasedForCaller(handle, Duration.ZERO);
        later.forEach(Runnable::run);
        assertThat(told).hasSize(10_002).endsWith("lost EXPIRED", "released");
        assertThat(log.messages()).hasSize(10_000).allMatch("a listener was not called: it is too slow"::equals);

        listener.renewed(handle, RenewOutcome.SUCCESS);
        later.get(later.size() - 1).run();
        assertThat(told).hasSize(10_003);
    }

    /** As a listener that logs while the disk is full. */
    @Test
    void aLogThatFailsAsWellDoesNotReachTheEngine() {
        FailingLog.during(() -> {
            notifyOfEveryEvent(new EngineListener(new Failing(), Runnable::run));
            notifyOfEveryEvent(new EngineListener(new Told(), task -> {
                throw new RejectedExecutionException("closed");
            }));
        });
        assertThat(told).hasSize(EVERYTHING.size() + OF_CALLERS.size());
    }

    private void notifyOfEveryEvent(LockListener listener) {
        LockAttempt attempt = new Attempt("deploy", "service");
        listener.connectEnded("deploy", true);
        listener.acquireStarted(attempt);
        listener.acquireEnded(attempt, AcquireOutcome.ACQUIRED, Duration.ZERO);
        listener.renewed(handle, RenewOutcome.SUCCESS);
        listener.renewalRound(new RenewalRound("deploy", 3, 0, 0, Duration.ZERO, Duration.ZERO));
        listener.atRisk(handle);
        listener.lost(handle, LossReason.EXPIRED, Duration.ZERO);
        listener.forceReleased(new ForcedRelease("deploy", "service", 1, Outcome.FREE, null, "a test"));
        listener.released(handle, Duration.ZERO);
    }

    private record Attempt(String locker, String key) implements LockAttempt {}

    private class Told implements LockListener {

        void note(String event) {
            told.add(event);
        }

        @Override
        public void connectEnded(String locker, boolean connected) {
            note("connected " + connected);
        }

        @Override
        public void acquireStarted(LockAttempt attempt) {
            note("started");
        }

        @Override
        public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
            note("ended " + outcome);
        }

        @Override
        public void released(LockHandle lock, Duration held) {
            note("released");
        }

        @Override
        public void renewed(LockHandle lock, RenewOutcome outcome) {
            note("renewed " + outcome);
        }

        @Override
        public void renewalRound(RenewalRound round) {
            note("round of " + round.renewed());
        }

        @Override
        public void atRisk(LockHandle lock) {
            note("at risk");
        }

        @Override
        public void lost(LockHandle lock, LossReason reason, Duration held) {
            note("lost " + reason);
        }

        @Override
        public void forceReleased(ForcedRelease release) {
            note("force released " + release.outcome());
        }

        @Override
        public String toString() {
            return "a listener";
        }
    }

    private final class Failing extends Told {

        @Override
        void note(String event) {
            super.note(event);
            throw new AssertionError("thrown by a listener");
        }
    }
}
