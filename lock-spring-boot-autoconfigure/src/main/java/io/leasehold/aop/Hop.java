package io.leasehold.aop;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Leaves a thread of the library, on which no code of an application may run. */
final class Hop {

    private Hop() {}

    /** Runs an action on an executor, or here if the executor was shut down, so that nothing waits for ever. */
    static void to(Executor executor, Runnable action) {
        try {
            executor.execute(action);
        } catch (RejectedExecutionException ex) {
            action.run();
        }
    }
}
