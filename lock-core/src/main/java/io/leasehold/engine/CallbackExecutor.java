package io.leasehold.engine;

import io.leasehold.support.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs code of the application on separate daemon threads (rules.md R38). Code that blocks delays other tasks of the
 * same executor, but never a renewal. Idle threads end after ten seconds.
 */
final class CallbackExecutor implements Executor, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CallbackExecutor.class);

    private final ThreadPoolExecutor threads;

    /**
     * Creates an executor.
     *
     * @param name the name of its threads
     * @param threads the number of tasks that run at the same time; with one thread they run in order
     * @param queued the maximum number of waiting tasks
     */
    CallbackExecutor(String name, int threads, int queued) {
        this(DaemonThreads.named(name), threads, queued);
    }

    CallbackExecutor(ThreadFactory factory, int threads, int queued) {
        this(factory, threads, Duration.ofSeconds(10), new LinkedBlockingQueue<>(queued));
    }

    CallbackExecutor(ThreadFactory factory, int threads, Duration idle, BlockingQueue<Runnable> queue) {
        // no core thread for tasks in order, so that each task is queued. Otherwise one that arrives while the idle
        // thread ends would begin on a new thread, before those that are queued
        int core = threads == 1 ? 0 : threads;
        this.threads = new ThreadPoolExecutor(core, threads, idle.toNanos(), TimeUnit.NANOSECONDS, queue, factory);
        this.threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs a task asynchronously. An exception of the task is logged.
     *
     * @throws RejectedExecutionException if too many tasks wait, if there is no thread and none can be started, or if this
     *     executor is closed
     */
    @Override
    public void execute(Runnable task) {
        Runnable safe = () -> runSafely(task);
        try {
            threads.execute(safe);
        } catch (Error ex) {
            // it may be queued already
            threads.remove(safe);
            if (!isLeftToRunningThreads(safe)) {
                throw new RejectedExecutionException("no thread could be started", ex);
            }
        }
    }

    /** A pool below its number of threads tries to start one for each task, and would not use its idle ones. */
    private boolean isLeftToRunningThreads(Runnable task) {
        return threads.getPoolSize() > 0
                && threads.getQueue().offer(task)
                // the last one may have ended in the meantime
                && (threads.getPoolSize() > 0 || !threads.remove(task));
    }

    /** Accepts no more tasks. Waiting tasks still run. */
    @Override
    public void close() {
        threads.shutdown();
    }

    private static void runSafely(Runnable task) {
        try {
            task.run();
        } catch (Throwable ex) {
            log.error("A callback of the application failed; locks are not affected", ex);
        }
    }
}
