package io.leasehold.backend.redlock;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One daemon thread for the timeouts of one backend. */
final class ThreadTimer implements Timer {

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, ThreadTimer::newThread);

    ThreadTimer() {
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Runnable schedule(Runnable task, long delayNanos) {
        try {
            Future<?> future = executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private static Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "lock-redlock-timer");
        thread.setDaemon(true);
        thread.setPriority(Thread.MAX_PRIORITY);
        return thread;
    }
}
