package io.leasehold.engine;

import io.leasehold.LockListener;
import io.leasehold.support.Parker;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;

/**
 * Makes an engine that completes the futures of callers on the store's threads, as no application may have it: a continuation
 * that blocks would keep all locks from being renewed. It shows what the threads of the real one cost.
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
