package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.leasehold.LockAttempt;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockListener.AcquireOutcome;
import io.leasehold.LockListener.RenewOutcome;
import io.leasehold.LossReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A listener is notified of every event. Its exceptions are logged. */
class EngineListenerTests {

    private static final List<String> EVERYTHING =
            List.of("started", "ended ACQUIRED", "renewed SUCCESS", "at risk", "lost EXPIRED", "released");

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
        assertThat(told).containsExactly("started", "ended ACQUIRED", "released");
        later.forEach(Runnable::run);
        assertThat(told).endsWith("renewed SUCCESS", "at risk", "lost EXPIRED");
    }

    @Test
    void aCallThatTheExecutorRejectsIsLogged() {
        notifyOfEveryEvent(new EngineListener(new Told(), task -> {
            throw new RejectedExecutionException("full");
        }));
        assertThat(told).hasSize(3);
        assertThat(log.messages())
                .hasSize(3)
                .allMatch("a listener was not called: it is too slow, or the engine is closed"::equals);
    }

    private void notifyOfEveryEvent(LockListener listener) {
        LockAttempt attempt = new Attempt("deploy", "service");
        listener.acquireStarted(attempt);
        listener.acquireEnded(attempt, AcquireOutcome.ACQUIRED, Duration.ZERO);
        listener.renewed(handle, RenewOutcome.SUCCESS);
        listener.atRisk(handle);
        listener.lost(handle, LossReason.EXPIRED, Duration.ZERO);
        listener.released(handle, Duration.ZERO);
    }

    private record Attempt(String locker, String key) implements LockAttempt {}

    private class Told implements LockListener {

        void note(String event) {
            told.add(event);
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
        public void atRisk(LockHandle lock) {
            note("at risk");
        }

        @Override
        public void lost(LockHandle lock, LossReason reason, Duration held) {
            note("lost " + reason);
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
