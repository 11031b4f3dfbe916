package io.leasehold.engine;

import io.leasehold.ForcedRelease;
import io.leasehold.LockAttempt;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LossReason;
import io.leasehold.RenewalRound;
import io.leasehold.support.SafeLogging;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Isolates the engine from the application's listener. Exceptions of the listener are logged. Events from the engine's
 * own threads are reported on an executor, because a listener may block (rules.md R38). Events from a caller's
 * thread are reported on that thread.
 */
final class EngineListener implements LockListener {

    private static final Logger log = LoggerFactory.getLogger(EngineListener.class);

    /**
     * The number of queued events at which those of renewals and connections are dropped. The others come once for each
     * lock.
     */
    private static final int MOST_QUEUED = 10_000;

    private final LockListener delegate;

    private final Executor executor;

    private final AtomicInteger queued = new AtomicInteger();

    /** Creates an adapter. The executor must run one task at a time and in order. */
    EngineListener(LockListener delegate, Executor executor) {
        this.delegate = delegate;
        this.executor = executor;
    }

    @Override
    public void connectEnded(String locker, boolean connected) {
        laterIfPrompt(() -> delegate.connectEnded(locker, connected));
    }

    @Override
    public void acquireStarted(LockAttempt attempt) {
        guard(() -> delegate.acquireStarted(attempt));
    }

    @Override
    public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
        guard(() -> delegate.acquireEnded(attempt, outcome, waited));
    }

    @Override
    public void released(LockHandle handle, Duration held) {
        guard(() -> delegate.released(handle, held));
    }

    /** Reports a release for a caller that has given up, by a thread of the engine or of the store's client. */
    void releasedForCaller(LockHandle handle, Duration held) {
        later(() -> delegate.released(handle, held));
    }

    @Override
    public void renewed(LockHandle handle, RenewOutcome outcome) {
        laterIfPrompt(() -> delegate.renewed(handle, outcome));
    }

    @Override
    public void renewalRound(RenewalRound round) {
        laterIfPrompt(() -> delegate.renewalRound(round));
    }

    @Override
    public void atRisk(LockHandle handle) {
        laterIfPrompt(() -> delegate.atRisk(handle));
    }

    @Override
    public void lost(LockHandle handle, LossReason reason, Duration held) {
        later(() -> delegate.lost(handle, reason, held));
    }

    @Override
    public void forceReleased(ForcedRelease release) {
        later(() -> delegate.forceReleased(release));
    }

    private void laterIfPrompt(Runnable call) {
        if (queued.get() < MOST_QUEUED) {
            later(call);
        } else {
            SafeLogging.log(() -> log.error("{} was not called: it is too slow", delegate));
        }
    }

    private void later(Runnable call) {
        queued.incrementAndGet();
        try {
            executor.execute(() -> {
                queued.decrementAndGet();
                guard(call);
            });
        } catch (RejectedExecutionException ex) {
            queued.decrementAndGet();
            SafeLogging.log(() -> log.error("{} was not called: the engine is closed", delegate, ex));
        }
    }

    private void guard(Runnable call) {
        try {
            call.run();
        } catch (Throwable ex) {
            SafeLogging.log(() -> log.warn("{} failed; locks are not affected", delegate, ex));
        }
    }
}
