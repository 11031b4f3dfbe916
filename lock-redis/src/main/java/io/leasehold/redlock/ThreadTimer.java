package io.leasehold.redlock;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One daemon thread for the tasks of one backend. */
final class ThreadTimer implements Timer {

    private final ScheduledThreadPoolExecutor executor;

    ThreadTimer(String name) {
        executor = new ScheduledThreadPoolExecutor(1, task -> newThread(task, name));
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

    private static Thread newThread(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setPriority(Thread.MAX_PRIORITY);
        return thread;
    }
}
