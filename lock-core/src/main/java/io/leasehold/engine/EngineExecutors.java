package io.leasehold.engine;

import java.util.concurrent.Executor;

/**
 * The executors on which an engine runs code of the application. Such code never runs on the engine's timer or on a
 * thread of a store's client (rules.md R38).
 *
 * @param async completes the futures that callers hold
 * @param lossCallbacks runs the callbacks of lost locks
 * @param events notifies the listener of events that no caller's thread caused, one at a time and in order
 */
record EngineExecutors(Executor async, Executor lossCallbacks, Executor events) {

    private static final int ASYNC_THREADS = Math.max(4, Runtime.getRuntime().availableProcessors());

    private static final int LOSS_CALLBACK_THREADS = 4;

    private static final int MOST_QUEUED = 10_000;

    /** Creates executors with the engine's own daemon threads. */
    static EngineExecutors daemons() {
        return new EngineExecutors(
                new CallbackExecutor("lock-async", ASYNC_THREADS, Integer.MAX_VALUE),
                new CallbackExecutor("lock-callback", LOSS_CALLBACK_THREADS, MOST_QUEUED),
                new CallbackExecutor("lock-events", 1, Integer.MAX_VALUE));
    }

    /**
     * Ends the engine's own threads after they have run the waiting tasks. An executor of the application stays open.
     */
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
