package io.leasehold.benchmarks.load;

import java.util.concurrent.ThreadFactory;

/** The kind of the calling threads. */
public enum Callers {
    PLATFORM,
    VIRTUAL;

    private static final int FIRST_WITH_VIRTUAL = 21;

    /** Whether this Java has virtual threads. */
    public static boolean virtualExist() {
        return Runtime.version().feature() >= FIRST_WITH_VIRTUAL;
    }

    /**
     * Returns a factory of threads of this kind. The compiler runs with release 17, which has no
     * {@code Thread.ofVirtual()}.
     */
    ThreadFactory factory() throws ReflectiveOperationException {
        if (this == PLATFORM) {
            return task -> {
                Thread thread = new Thread(task, "caller");
                thread.setDaemon(true);
                return thread;
            };
        }
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        return (ThreadFactory)
                Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    }
}
