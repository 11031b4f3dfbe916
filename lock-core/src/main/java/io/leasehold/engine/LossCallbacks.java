package io.leasehold.engine;

import io.leasehold.LossReason;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs what applications want to be done when a lock is lost, on a few threads that do nothing else: a callback that
 * blocks delays other callbacks, never a renewal.
 */
final class LossCallbacks implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LossCallbacks.class);

    private static final int THREADS = 4;

    private static final int QUEUED = 10_000;

    private final ExecutorService executor;

    LossCallbacks() {
        this(newThreads());
    }

    /** On other threads, for tests. */
    LossCallbacks(ExecutorService executor) {
        this.executor = executor;
    }

    void run(Consumer<? super LossReason> callback, LossReason reason) {
        try {
            executor.execute(() -> runSafely(callback, reason));
        } catch (RejectedExecutionException ex) {
            log.error("A callback for a lost lock did not run: {} others are waiting, or the engine is closed", QUEUED);
        }
    }

    @Override
    public void close() {
        executor.shutdown();
    }

    private static void runSafely(Consumer<? super LossReason> callback, LossReason reason) {
        try {
            callback.accept(reason);
        } catch (Throwable ex) {
            log.error("A callback for a lost lock failed", ex);
        }
    }

    private static ExecutorService newThreads() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUED), LossCallbacks::newThread);
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    private static Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "lock-callback");
        thread.setDaemon(true);
        return thread;
    }
}
