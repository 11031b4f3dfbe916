package io.leasehold.support;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the library's own small tasks later, one at a time; a seam for tests. Never runs code of an application. */
public interface Scheduler extends AutoCloseable {

    /**
     * Runs a task once.
     *
     * @param task what to run; it does not block
     * @param delayNanos how long from now; zero or less is as soon as possible
     * @return a way to cancel it
     */
    Task schedule(Runnable task, long delayNanos);

    /** Drops the tasks that have not run yet. */
    @Override
    default void close() {}

    /**
     * A scheduler with one daemon thread of high priority.
     *
     * @param name the name of its thread
     * @return the scheduler
     */
    static Scheduler daemon(String name) {
        return new DaemonThreadScheduler(name);
    }

    /** A scheduled task. */
    interface Task {

        /** Does not run the task if it has not begun. */
        void cancel();
    }

    /** A scheduler on a thread of its own, which outlives every failure of a task. */
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
