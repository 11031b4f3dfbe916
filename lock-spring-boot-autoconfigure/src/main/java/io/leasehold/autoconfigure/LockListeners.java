package io.leasehold.autoconfigure;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LossReason;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells all listeners of the application, each of them even if another fails. */
final class LockListeners implements LockListener {

    private static final Logger log = LoggerFactory.getLogger(LockListeners.class);

    private final LockListener[] listeners;

    LockListeners(List<LockListener> listeners) {
        this.listeners = listeners.toArray(LockListener[]::new);
    }

    @Override
    public void acquireStarted(String locker, String key) {
        each(listener -> listener.acquireStarted(locker, key));
    }

    @Override
    public void acquireEnded(String locker, String key, AcquireOutcome outcome, Duration waited) {
        each(listener -> listener.acquireEnded(locker, key, outcome, waited));
    }

    @Override
    public void released(LockHandle handle, Duration held) {
        each(listener -> listener.released(handle, held));
    }

    @Override
    public void renewed(LockHandle handle, RenewOutcome outcome) {
        each(listener -> listener.renewed(handle, outcome));
    }

    @Override
    public void atRisk(LockHandle handle) {
        each(listener -> listener.atRisk(handle));
    }

    @Override
    public void lost(LockHandle handle, LossReason reason, Duration held) {
        each(listener -> listener.lost(handle, reason, held));
    }

    private void each(Consumer<LockListener> call) {
        for (LockListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (RuntimeException | LinkageError ex) {
                log.warn("Lock listener {} failed; locks are not affected", listener, ex);
            }
        }
    }
}
