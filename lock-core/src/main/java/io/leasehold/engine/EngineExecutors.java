package io.leasehold.engine;

import java.util.concurrent.Executor;

/**
 * Where an engine runs code of the application; never on its timer, nor on a thread of a store's client (RELIABILITY R38).
 *
 * @param async completes the futures that callers hold
 * @param lossCallbacks runs the callbacks of lost locks
 * @param events calls the listener for what no caller's thread has caused, one call at a time and in order
 */
record EngineExecutors(Executor async, Executor lossCallbacks, Executor events) {

    private static final int ASYNC_THREADS = Math.max(4, Runtime.getRuntime().availableProcessors());

    private static final int LOSS_CALLBACK_THREADS = 4;

    private static final int MOST_QUEUED = 10_000;

    /** Daemon threads of the engine's own. */
    static EngineExecutors daemons() {
        return new EngineExecutors(
                new CallbackExecutor("lock-async", ASYNC_THREADS, Integer.MAX_VALUE),
                new CallbackExecutor("lock-callback", LOSS_CALLBACK_THREADS, MOST_QUEUED),
                new CallbackExecutor("lock-events", 1, MOST_QUEUED));
    }

    /** Ends the engine's own threads when they have run what waits; an executor of the application is left alone. */
    void close() {
        closeOwn(async);
        closeOwn(lossCallbacks);
        closeOwn(events);
    }

    private static void closeOwn(Executor executor) {
        if (executor instanceof CallbackExecutor own) {
            own.close();
        }
    }
}
