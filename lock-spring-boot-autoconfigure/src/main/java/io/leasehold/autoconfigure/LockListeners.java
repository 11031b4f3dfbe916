package io.leasehold.autoconfigure;

import io.leasehold.ForcedRelease;
import io.leasehold.LockAttempt;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LossReason;
import io.leasehold.RenewalRound;
import io.leasehold.support.SafeLogging;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * The listeners of the application. The engine is created without them, so that a listener may depend on a locker. They
 * are looked up when all singletons have been created, or with the first event before that.
 */
final class LockListeners implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(LockListeners.class);

    private final ObjectProvider<LockListener> beans;

    private volatile @Nullable List<LockListener> found;

    LockListeners(ObjectProvider<LockListener> beans) {
        this.beans = beans;
    }

    /** A listener that cannot be created fails the start. */
    @Override
    public void afterSingletonsInstantiated() {
        found = beans.orderedStream().toList();
    }

    /** A listener that calls all of them, each even if another fails. */
    LockListener asOne() {
        return new All();
    }

    private List<LockListener> listeners() {
        List<LockListener> known = found;
        if (known != null) {
            return known;
        }
        try {
            known = beans.orderedStream().toList();
            found = known;
            return known;
        } catch (BeanCreationException ex) {
            if (!ex.contains(BeanCurrentlyInCreationException.class)) {
                throw ex;
            }
            log.debug("A lock was used while a lock listener was being made; the listener is not called for it", ex);
            return List.of();
        }
    }

    private void each(Consumer<LockListener> call) {
        for (LockListener listener : listeners()) {
            try {
                call.accept(listener);
            } catch (Throwable ex) {
                SafeLogging.log(() -> log.warn("Lock listener {} failed; locks are not affected", listener, ex));
            }
        }
    }

    private final class All implements LockListener {

        @Override
        public void connectEnded(String locker, boolean connected) {
            each(listener -> listener.connectEnded(locker, connected));
        }

        @Override
        public void acquireStarted(LockAttempt attempt) {
            each(listener -> listener.acquireStarted(attempt));
        }

        @Override
        public void forceReleased(ForcedRelease release) {
            each(listener -> listener.forceReleased(release));
        }

        @Override
        public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
            each(listener -> listener.acquireEnded(attempt, outcome, waited));
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
        public void renewalRound(RenewalRound round) {
            each(listener -> listener.renewalRound(round));
        }

        @Override
        public void atRisk(LockHandle handle) {
            each(listener -> listener.atRisk(handle));
        }

        @Override
        public void lost(LockHandle handle, LossReason reason, Duration held) {
            each(listener -> listener.lost(handle, reason, held));
        }
    }
}
