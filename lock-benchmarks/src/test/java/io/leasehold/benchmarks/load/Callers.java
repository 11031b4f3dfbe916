package io.leasehold.benchmarks.load;

import java.util.concurrent.ThreadFactory;

/** What kind of threads call. */
public enum Callers {
    PLATFORM,
    VIRTUAL;

    private static final int FIRST_WITH_VIRTUAL = 21;

    /** Whether this Java has virtual threads. */
    public static boolean virtualExist() {
        return Runtime.version().feature() >= FIRST_WITH_VIRTUAL;
    }

    /** Makes threads of this kind. The compiler is asked for Java 17, so it does not know {@code Thread.ofVirtual()}. */
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
