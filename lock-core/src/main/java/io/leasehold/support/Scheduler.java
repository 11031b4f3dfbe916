package io.leasehold.support;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the library's own short tasks after a delay, one at a time. It never runs code of an application. Tests replace
 * it.
 */
public interface Scheduler extends AutoCloseable {

    /**
     * Runs a task once.
     *
     * @param task the task to run; it must not block
     * @param delayNanos the delay from now; zero or less means as soon as possible
     * @return the scheduled task, which can be cancelled
     */
    Task schedule(Runnable task, long delayNanos);

    /** Discards the tasks that have not run yet. */
    @Override
    default void close() {}

    /** Creates a scheduler with one daemon thread of the highest priority. */
    static Scheduler daemon(String name) {
        return new DaemonThreadScheduler(name);
    }

    /** A scheduled task. */
    interface Task {

        /** Cancels the task unless it has started. */
        void cancel();
    }

    /** A scheduler with its own thread, which survives every failure of a task. */
    final class DaemonThreadScheduler implements Scheduler {

        private static final Logger log = LoggerFactory.getLogger(Scheduler.class);

        private static final Task NONE = () -> {};

        private final ScheduledThreadPoolExecutor executor;

        private DaemonThreadScheduler(String name) {
            this.executor = new ScheduledThreadPoolExecutor(1, DaemonThreads.named(name, Thread.MAX_PRIORITY));
            this.executor.setRemoveOnCancelPolicy(true);
        }

        @Override
        public Task schedule(Runnable task, long delayNanos) {
            try {
                Future<?> future =
                        executor.schedule(() -> runSafely(task), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
                return () -> future.cancel(false);
            } catch (RejectedExecutionException closed) {
                return NONE;
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
                log.error("A timed task of the lock library failed; later tasks run all the same", ex);
            }
        }
    }
}
