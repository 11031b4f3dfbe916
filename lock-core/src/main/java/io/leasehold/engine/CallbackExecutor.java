package io.leasehold.engine;

import io.leasehold.support.DaemonThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs code of the application on daemon threads that do nothing else (RELIABILITY R38): code that blocks delays other
 * tasks of the same executor, never a renewal. Idle threads end after ten seconds.
 */
final class CallbackExecutor implements Executor, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CallbackExecutor.class);

    private final ThreadPoolExecutor threads;

    /**
     * An executor.
     *
     * @param name the name of its threads
     * @param threads how many tasks run at a time; with one thread they run in order
     * @param queued how many tasks wait at most
     */
    CallbackExecutor(String name, int threads, int queued) {
        this.threads = new ThreadPoolExecutor(
                threads, threads, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(queued), DaemonThreads.named(name));
        this.threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs a task later. What it throws is logged.
     *
     * @throws RejectedExecutionException if too many tasks wait, or after the close
     */
    @Override
    public void execute(Runnable task) {
        threads.execute(() -> runSafely(task));
    }

    /** Accepts no more tasks; those that wait still run. */
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
