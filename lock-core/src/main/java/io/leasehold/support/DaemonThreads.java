package io.leasehold.support;

import java.util.concurrent.ThreadFactory;

/** Threads of the library: daemons with a name that says what they are for. */
public final class DaemonThreads {

    private DaemonThreads() {}

    /**
     * Makes threads of ordinary priority.
     *
     * @param name the name of each thread
     * @return the factory
     */
    public static ThreadFactory named(String name) {
        return named(name, Thread.NORM_PRIORITY);
    }

    /**
     * Makes threads.
     *
     * @param name the name of each thread
     * @param priority the priority of each thread
     * @return the factory
     */
    public static ThreadFactory named(String name, int priority) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            thread.setPriority(priority);
            return thread;
        };
    }
}
