package io.leasehold.engine;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LossReason;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what a listener throws away from the locks. */
final class GuardedListener implements LockListener {

    private static final Logger log = LoggerFactory.getLogger(GuardedListener.class);

    private final LockListener delegate;

    GuardedListener(LockListener delegate) {
        this.delegate = delegate;
    }

    @Override
    public void acquireStarted(String locker, String key) {
        try {
            delegate.acquireStarted(locker, key);
        } catch (Throwable ex) {
            ignore(ex);
        }
    }

    @Override
    public void acquireEnded(String locker, String key, AcquireOutcome outcome, Duration waited) {
        try {
            delegate.acquireEnded(locker, key, outcome, waited);
        } catch (Throwable ex) {
            ignore(ex);
        }
    }

    @Override
    public void released(LockHandle handle, Duration held) {
        try {
            delegate.released(handle, held);
        } catch (Throwable ex) {
            ignore(ex);
        }
    }

    @Override
    public void renewed(LockHandle handle, RenewOutcome outcome) {
        try {
            delegate.renewed(handle, outcome);
        } catch (Throwable ex) {
            ignore(ex);
        }
    }

    @Override
    public void atRisk(LockHandle handle) {
        try {
            delegate.atRisk(handle);
        } catch (Throwable ex) {
            ignore(ex);
        }
    }

    @Override
    public void lost(LockHandle handle, LossReason reason, Duration held) {
        try {
            delegate.lost(handle, reason, held);
        } catch (Throwable ex) {
            ignore(ex);
        }
    }

    private void ignore(Throwable ex) {
        log.warn("{} failed; locks are not affected", delegate, ex);
    }
}
