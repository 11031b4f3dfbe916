package io.leasehold.event;

import io.leasehold.ForcedRelease;
import io.leasehold.LockAttempt;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockState;
import io.leasehold.LossReason;
import io.leasehold.support.DaemonThreads;
import io.leasehold.support.SafeLogging;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes application events about locks, in order, on a thread of its own. A slow event listener delays other
 * events, but no lock. If {@value #CAPACITY} events are queued, further events are dropped, and a line in the log
 * reports it.
 */
public final class LockEventPublisher implements LockListener, AutoCloseable {

    private static final int CAPACITY = 1024;

    private static final Logger log = LoggerFactory.getLogger(LockEventPublisher.class);

    private final ApplicationEventPublisher publisher;

    private final Set<LockEventType> types;

    private final ThreadPoolExecutor executor;

    /**
     * Creates the publisher.
     *
     * @param publisher where to publish
     * @param types the types of events to publish
     */
    public LockEventPublisher(ApplicationEventPublisher publisher, Set<LockEventType> types) {
        this(publisher, types, Duration.ofSeconds(10), new ArrayBlockingQueue<>(CAPACITY));
    }

    LockEventPublisher(
            ApplicationEventPublisher publisher,
            Set<LockEventType> types,
            Duration idle,
            BlockingQueue<Runnable> queue) {
        this.publisher = publisher;
        this.types = types.isEmpty() ? EnumSet.noneOf(LockEventType.class) : EnumSet.copyOf(types);
        // no core thread, so that each event is queued. Otherwise one that arrives while the idle thread ends would be
        // published by a new thread, before those that are queued
        this.executor = new ThreadPoolExecutor(
                0, 1, idle.toNanos(), TimeUnit.NANOSECONDS, queue, DaemonThreads.named("lock-application-events"));
    }

    @Override
    public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
        if (outcome == AcquireOutcome.ACQUIRED) {
            publish(LockEventType.ACQUIRED, () -> new LockAcquiredEvent(attempt.locker(), attempt.key(), waited));
        }
    }

    @Override
    public void released(LockHandle handle, Duration held) {
        publish(
                LockEventType.RELEASED,
                () -> new LockReleasedEvent(handle.locker(), handle.key(), handle.fencingToken(), held));
    }

    @Override
    public void atRisk(LockHandle handle) {
        publish(
                LockEventType.AT_RISK,
                () -> new LockAtRiskEvent(handle.locker(), handle.key(), handle.fencingToken(), handle.remaining()));
    }

    @Override
    public void lost(LockHandle handle, LossReason reason, Duration held) {
        publish(
                LockEventType.LOST,
                () -> new LockLostEvent(handle.locker(), handle.key(), handle.fencingToken(), reason, held));
    }

    @Override
    public void forceReleased(ForcedRelease release) {
        publish(LockEventType.FORCE_RELEASED, () -> new LockForceReleasedEvent(release));
    }

    /** Publishes the queued events, for a second at most, and ends the thread. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            executor.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        int dropped = executor.shutdownNow().size();
        if (dropped > 0) {
            log.warn("{} events about locks were dropped, since their listeners take too long to end", dropped);
        }
    }

    private void publish(LockEventType type, Supplier<Object> event) {
        if (!types.contains(type)) {
            return;
        }
        Object payload = event.get();
        try {
            executor.execute(() -> publish(payload));
        } catch (RejectedExecutionException ex) {
            log.warn(
                    "Event dropped, since {} are waiting or the application has stopped: {}",
                    CAPACITY,
                    LockState.printable(payload.toString()));
        }
    }

    private void publish(Object payload) {
        try {
            publisher.publishEvent(payload);
        } catch (Throwable ex) {
            SafeLogging.log(() -> log.warn(
                    "A listener of {} failed; locks are not affected", LockState.printable(payload.toString()), ex));
        }
    }
}
