package io.leasehold.engine;

/** Runs the engine's own small tasks later, one at a time; a seam for tests. Never runs code of an application. */
interface Scheduler extends AutoCloseable {

    /**
     * Runs a task once.
     *
     * @param task what to run; it does not block
     * @param delayNanos how long from now; zero or less is as soon as possible
     * @return a way to give up on it
     */
    Task schedule(Runnable task, long delayNanos);

    /** Drops what has not run yet. */
    @Override
    default void close() {}

    /** A scheduled task. */
    interface Task {

        /** Does not run the task if it has not begun. */
        void cancel();
    }
}
