package io.leasehold.observation;

import io.leasehold.LockAttempt;
import io.leasehold.LockBackendException;
import io.leasehold.LockException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockLostException;
import io.leasehold.LockerRegistry;
import io.leasehold.LossReason;
import io.leasehold.observation.LockObservationDocumentation.HoldEvent;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Observes acquisitions and holds. The parent of an acquisition is the current observation of the calling thread; the
 * parent of a hold is its acquisition, also if it has ended. A hold is observed only if its acquisition is. No scope is
 * opened, because a hold belongs to no thread.
 *
 * <p>With a registry that has no handlers, a call costs one look at the registry. With one whose predicates drop
 * acquisitions, it also costs a context, which the predicates are asked about.
 */
public final class ObservationLockListener implements LockListener {

    private static final LockAcquireObservationConvention ACQUIRE = new DefaultLockAcquireObservationConvention();

    private static final LockHoldObservationConvention HOLD = new DefaultLockHoldObservationConvention();

    private static final int MOST_CAUSES = 5;

    private final Map<LockAttempt, Observed<LockAcquireContext>> attempts = new ConcurrentHashMap<>();

    private final Map<LockHandle, Observed<LockHoldContext>> holds = new ConcurrentHashMap<>();

    private final Map<String, String> backends = new ConcurrentHashMap<>();

    private final ObservationRegistry registry;

    private final LockerRegistry lockers;

    private final boolean includeKey;

    /** Whether the maps may have entries. A look into them costs as much as the rest of a call. */
    private volatile boolean observed;

    /**
     * Creates the listener.
     *
     * @param registry where to observe
     * @param lockers provides the stores of the lockers
     * @param includeKey whether observations have the key, as a value of high cardinality
     */
    public ObservationLockListener(ObservationRegistry registry, LockerRegistry lockers, boolean includeKey) {
        this.registry = registry;
        this.lockers = lockers;
        this.includeKey = includeKey;
    }

    /** Forgets the store of a locker that was closed. */
    public void forget(String locker) {
        backends.remove(locker);
    }

    @Override
    public void acquireStarted(LockAttempt attempt) {
        if (registry.isNoop()) {
            return;
        }
        LockAcquireContext context =
                new LockAcquireContext(attempt.locker(), backend(attempt.locker()), visible(attempt.key()));
        Observation observation = Observation.createNotStarted(null, ACQUIRE, () -> context, registry);
        if (!observation.isNoop()) {
            observed = true;
            attempts.put(attempt, new Observed<>(observation.start(), context));
        }
    }

    @Override
    public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
        Observed<LockAcquireContext> acquisition = observed ? attempts.remove(attempt) : null;
        if (acquisition == null) {
            return;
        }
        acquisition.context().ended(outcome, attempt.isHandedOver());
        LockException failure = attempt.failure();
        if (failure != null) {
            acquisition.observation().error(includeKey ? failure : withoutKey(failure));
        }
        acquisition.observation().stop();
        LockHandle handle = attempt.granted();
        if (handle != null) {
            startHold(handle, acquisition.observation());
        }
    }

    @Override
    public void released(LockHandle handle, Duration held) {
        endHold(handle, false, null);
    }

    @Override
    public void atRisk(LockHandle handle) {
        Observed<LockHoldContext> hold = observed ? holds.get(handle) : null;
        if (hold != null) {
            hold.observation().event(HoldEvent.AT_RISK);
        }
    }

    @Override
    public void lost(LockHandle handle, LossReason reason, Duration held) {
        endHold(handle, true, reason.explanation());
    }

    private void startHold(LockHandle handle, Observation acquisition) {
        LockHoldContext context = new LockHoldContext(
                handle.locker(), backend(handle.locker()), visible(handle.key()), handle.fencingToken());
        Observation observation = Observation.createNotStarted(null, HOLD, () -> context, registry);
        if (observation.isNoop()) {
            return;
        }
        observation.parentObservation(acquisition);
        holds.put(handle, new Observed<>(observation.start(), context));
        // read after the observation is in the map: lost() may have been called before, and has not found it then
        if (!handle.isHeld()) {
            endEarly(handle);
        }
    }

    /** A lock may have been lost before its caller received it, or released because the caller had given up. */
    private void endEarly(LockHandle handle) {
        try {
            handle.requireHeld();
        } catch (LockLostException ex) {
            endHold(handle, true, "before the caller received it");
        } catch (LockBackendException unconfirmed) {
            // its hold goes on: the store has to confirm it first
        } catch (IllegalStateException released) {
            endHold(handle, false, null);
        }
    }

    private void endHold(LockHandle handle, boolean lost, @Nullable String reason) {
        Observed<LockHoldContext> hold = observed ? holds.remove(handle) : null;
        if (hold == null) {
            return;
        }
        hold.context().ended(lost);
        if (lost) {
            hold.observation().event(Observation.Event.of(HoldEvent.LOST.getName(), "lost: " + reason));
        }
        hold.observation().stop();
    }

    /** The failure with the types of its causes in place of the messages, which may contain the key. */
    private static LockException withoutKey(LockException failure) {
        StringBuilder types = new StringBuilder();
        Throwable cause = failure.getCause();
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            types.append(depth == 0 ? "" : ", caused by ")
                    .append(cause.getClass().getName());
            cause = cause.getCause();
        }
        LockException visible = new LockBackendException(
                "a lock of locker '" + failure.locker() + "' was not acquired: " + types, failure.locker(), "", null);
        visible.setStackTrace(failure.getStackTrace());
        return visible;
    }

    private @Nullable String visible(String key) {
        return includeKey ? key : null;
    }

    /** A locker of a child context is not known here. */
    private String backend(String locker) {
        String known = backends.get(locker);
        if (known != null) {
            return known;
        }
        return lockers.names().contains(locker)
                ? backends.computeIfAbsent(locker, name -> lockers.status(name).backend())
                : "unknown";
    }

    private record Observed<C>(Observation observation, C context) {}
}
