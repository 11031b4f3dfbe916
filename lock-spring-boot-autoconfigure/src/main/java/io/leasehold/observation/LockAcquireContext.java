package io.leasehold.observation;

import io.leasehold.LockListener.AcquireOutcome;
import org.jspecify.annotations.Nullable;

/** The context of an observed acquisition. */
public final class LockAcquireContext extends LockObservationContext {

    private @Nullable AcquireOutcome outcome;

    private boolean handedOver;

    LockAcquireContext(String locker, String backend, @Nullable String key) {
        super(locker, backend, key);
    }

    /** How the acquisition ended, {@code null} while it goes on. */
    public @Nullable AcquireOutcome outcome() {
        return outcome;
    }

    /** Whether another holder of this process handed the lock over. */
    public boolean isHandedOver() {
        return handedOver;
    }

    void ended(AcquireOutcome outcome, boolean handedOver) {
        this.outcome = outcome;
        this.handedOver = handedOver;
    }
}
