package io.leasehold.jfr;

import io.leasehold.LockAttempt;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockLostException;
import io.leasehold.LossReason;
import io.leasehold.RenewalRound;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Writes waits, holds, renewal rounds and losses to the Flight Recorder. Waits and holds shorter than 20 ms are left
 * out unless the recording sets another threshold.
 *
 * <p>While no recording has these events, a call reads one flag per event and allocates nothing. A wait or hold that
 * began before the recording is not in it.
 */
public final class FlightRecorderLockListener implements LockListener {

    private final Map<LockAttempt, LockWaitEvent> waits = new ConcurrentHashMap<>();

    private final Map<LockHandle, LockHoldEvent> holds = new ConcurrentHashMap<>();

    @Override
    public void acquireStarted(LockAttempt attempt) {
        if (FlightRecorder.isInitialized() && Types.WAIT.isEnabled()) {
            LockWaitEvent event = new LockWaitEvent();
            event.locker = attempt.locker();
            event.key = attempt.key();
            event.waiter = attempt.thread();
            event.begin();
            waits.put(attempt, event);
        }
    }

    @Override
    public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
        LockWaitEvent wait = waits.isEmpty() ? null : waits.remove(attempt);
        if (wait != null) {
            wait.end();
            if (wait.shouldCommit()) {
                wait.outcome = outcome.name();
                wait.handedOver = attempt.isHandedOver();
                wait.commit();
            }
        }
        LockHandle handle = attempt.granted();
        if (handle != null && FlightRecorder.isInitialized() && Types.HOLD.isEnabled()) {
            startHold(handle, attempt.thread());
        }
    }

    @Override
    public void released(LockHandle handle, Duration held) {
        endHold(handle, false);
    }

    @Override
    public void renewalRound(RenewalRound round) {
        if (FlightRecorder.isInitialized() && Types.ROUND.isEnabled()) {
            RenewalRoundEvent event = new RenewalRoundEvent();
            event.locker = round.locker();
            event.renewed = round.renewed();
            event.lost = round.lost();
            event.unanswered = round.unanswered();
            event.latency = round.latency().toNanos();
            event.lag = round.lag().toNanos();
            event.commit();
        }
    }

    @Override
    public void lost(LockHandle handle, LossReason reason, Duration held) {
        LockHoldEvent hold = endHold(handle, true);
        if (FlightRecorder.isInitialized() && Types.LOST.isEnabled()) {
            LockLostEvent event = new LockLostEvent();
            event.locker = handle.locker();
            event.key = handle.key();
            event.fencingToken = handle.fencingToken();
            event.reason = reason.name();
            event.held = held.toNanos();
            event.holder = hold == null ? null : hold.holder;
            event.commit();
        }
    }

    private void startHold(LockHandle handle, @Nullable Thread holder) {
        LockHoldEvent event = new LockHoldEvent();
        event.locker = handle.locker();
        event.key = handle.key();
        event.fencingToken = handle.fencingToken();
        event.holder = holder;
        event.begin();
        holds.put(handle, event);
        // read after the event is in the map: lost() may have been called before, and has not found it then
        if (!handle.isHeld()) {
            endEarly(handle);
        }
    }

    /** A lock may have been lost before its caller received it, or released because the caller had given up. */
    private void endEarly(LockHandle handle) {
        try {
            handle.requireHeld();
        } catch (LockLostException ex) {
            endHold(handle, true);
        } catch (LockBackendException unconfirmed) {
            // its hold goes on: the store has to confirm it first
        } catch (IllegalStateException released) {
            endHold(handle, false);
        }
    }

    private @Nullable LockHoldEvent endHold(LockHandle handle, boolean lost) {
        LockHoldEvent event = holds.isEmpty() ? null : holds.remove(handle);
        if (event != null) {
            event.end();
            if (event.shouldCommit()) {
                event.lost = lost;
                event.commit();
            }
        }
        return event;
    }

    /** The events, registered when a recording may have them: the registration starts a part of the Flight Recorder. */
    private static final class Types {

        private static final EventType WAIT = EventType.getEventType(LockWaitEvent.class);

        private static final EventType HOLD = EventType.getEventType(LockHoldEvent.class);

        private static final EventType ROUND = EventType.getEventType(RenewalRoundEvent.class);

        private static final EventType LOST = EventType.getEventType(LockLostEvent.class);
    }
}
