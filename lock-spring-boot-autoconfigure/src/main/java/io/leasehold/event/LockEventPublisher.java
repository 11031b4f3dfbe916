package io.leasehold.event;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LossReason;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes what happens to locks as application events, in order, on a thread of its own: a slow event listener delays
 * no lock, but other events. An event that finds {@value #CAPACITY} others waiting is dropped, and a line in the log
 * says so.
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
     * @param types what to publish
     */
    public LockEventPublisher(ApplicationEventPublisher publisher, Set<LockEventType> types) {
        this.publisher = publisher;
        this.types = types.isEmpty() ? EnumSet.noneOf(LockEventType.class) : EnumSet.copyOf(types);
        this.executor = new ThreadPoolExecutor(
                1, 1, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(CAPACITY), LockEventPublisher::newThread);
        this.executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public void acquireEnded(String locker, String key, AcquireOutcome outcome, Duration waited) {
        if (outcome == AcquireOutcome.ACQUIRED) {
            publish(LockEventType.ACQUIRED, () -> new LockAcquiredEvent(locker, key, waited));
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

    /** Publishes what is waiting, for no longer than a second, and ends the thread. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(1, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException ex) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
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
            log.warn("Event dropped, since {} are waiting or the application has stopped: {}", CAPACITY, payload);
        }
    }

    private void publish(Object payload) {
        try {
            publisher.publishEvent(payload);
        } catch (RuntimeException ex) {
            log.warn("A listener of {} failed; locks are not affected", payload, ex);
        }
    }

    private static Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "lock-events");
        thread.setDaemon(true);
        return thread;
    }
}
