package io.leasehold.support;

import java.util.concurrent.ThreadFactory;

/** Creates the library's threads: daemon threads whose names state their purpose. */
public final class DaemonThreads {

    private DaemonThreads() {}

    /** Creates a factory for threads of normal priority. */
    public static ThreadFactory named(String name) {
        return named(name, Thread.NORM_PRIORITY);
    }

    /** Creates a factory for threads. */
    public static ThreadFactory named(String name, int priority) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            thread.setPriority(priority);
            return thread;
        };
    }
}
