package io.leasehold.engine;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One daemon thread of high priority for all that the engine does by the clock. */
final class SystemScheduler implements Scheduler {

    private static final Logger log = LoggerFactory.getLogger(SystemScheduler.class);

    private static final Task NOTHING = () -> {};

    private final ScheduledThreadPoolExecutor executor;

    SystemScheduler() {
        this.executor = new ScheduledThreadPoolExecutor(1, SystemScheduler::newThread);
        this.executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Task schedule(Runnable task, long delayNanos) {
        try {
            Future<?> future = executor.schedule(() -> runSafely(task), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException ex) {
            return NOTHING;
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private static void runSafely(Runnable task) {
        try {
            task.run();
        } catch (Throwable ex) {
            log.error("A task of the lock engine failed; the engine goes on", ex);
        }
    }

    private static Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "lock-timer");
        thread.setDaemon(true);
        thread.setPriority(Thread.MAX_PRIORITY);
        return thread;
    }
}
