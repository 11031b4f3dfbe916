package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockListener.AcquireOutcome;
import io.leasehold.LockListener.RenewOutcome;
import io.leasehold.LossReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A listener is told everything, and what it throws ends in the log. */
class GuardedListenerTests {

    private static final List<String> EVERYTHING =
            List.of("started", "ended ACQUIRED", "renewed SUCCESS", "at risk", "lost EXPIRED", "released");

    private final RecordedLog log = new RecordedLog(GuardedListener.class);

    private final List<String> told = new ArrayList<>();

    private final VirtualTime time = new VirtualTime();

    private final LockEngine engine = new LockEngine(new LockListener() {}, time, time, Runnable::run);

    private final LockHandle handle = engine.locker(VirtualTime.settings("deploy"), "scripted", new ScriptedBackend())
            .lock("service");

    @AfterEach
    void close() {
        engine.close();
        log.close();
    }

    @Test
    void itIsToldEverything() {
        tellEverything(new GuardedListener(new Told()));
        assertThat(told).containsExactlyElementsOf(EVERYTHING);
        assertThat(log.events()).isEmpty();
    }

    @Test
    void whateverItThrowsEndsInTheLog() {
        tellEverything(new GuardedListener(new Failing()));
        assertThat(told).containsExactlyElementsOf(EVERYTHING);
        assertThat(log.events()).hasSameSizeAs(EVERYTHING).allSatisfy(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage()).isEqualTo("a listener failed; locks are not affected");
            assertThat(event.getThrowableProxy().getMessage()).isEqualTo("thrown by a listener");
        });
    }

    private void tellEverything(LockListener listener) {
        listener.acquireStarted("deploy", "service");
        listener.acquireEnded("deploy", "service", AcquireOutcome.ACQUIRED, Duration.ZERO);
        listener.renewed(handle, RenewOutcome.SUCCESS);
        listener.atRisk(handle);
        listener.lost(handle, LossReason.EXPIRED, Duration.ZERO);
        listener.released(handle, Duration.ZERO);
    }

    private class Told implements LockListener {

        void note(String event) {
            told.add(event);
        }

        @Override
        public void acquireStarted(String locker, String key) {
            note("started");
        }

        @Override
        public void acquireEnded(String locker, String key, AcquireOutcome outcome, Duration waited) {
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
