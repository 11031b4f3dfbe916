package io.leasehold.redlock;

/** Runs small tasks later that do not block; a seam for tests. */
interface Timer extends AutoCloseable {

    /**
     * Runs a task once.
     *
     * @param task what to run
     * @param delayNanos how long from now
     * @return gives up on it
     */
    Runnable schedule(Runnable task, long delayNanos);

    @Override
    default void close() {}
}
