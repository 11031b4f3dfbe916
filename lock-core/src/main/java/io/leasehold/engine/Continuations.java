package io.leasehold.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads on which an asynchronous acquisition goes on when it was the clock or another caller that ended its wait: what
 * an application hangs on its result must not run on the engine's timer.
 */
final class Continuations implements Executor, AutoCloseable {

    private static final int THREADS = 2;

    private final ThreadPoolExecutor executor = new ThreadPoolExecutor(
            THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Continuations::newThread);

    Continuations() {
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable command) {
        if (!executor.isShutdown()) {
            executor.execute(command);
        }
    }

    @Override
    public void close() {
        executor.shutdown();
    }

    private static Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "lock-async");
        thread.setDaemon(true);
        return thread;
    }
}
