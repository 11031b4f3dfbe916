package io.leasehold.engine;

import io.leasehold.LockListener;
import io.leasehold.support.Parker;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;

/**
 * Creates an engine that completes the futures of callers on the store's threads. An application must not use such an
 * engine, because a continuation that blocks would stop the renewal of all locks. The engine shows the cost of the
 * threads of the real one.
 */
public final class DirectCompletion {

    private DirectCompletion() {}

    /** An engine without threads for code of the application. */
    public static LockEngine engine() {
        return new LockEngine(
                new LockListener() {},
                Ticker.system(),
                Scheduler.daemon("lock-timer"),
                Parker.system(),
                EngineResources::random,
                new TokenSource(),
                new EngineExecutors(Runnable::run, Runnable::run, Runnable::run));
    }
}
