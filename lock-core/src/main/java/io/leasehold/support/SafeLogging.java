package io.leasehold.support;

/** Writes to the log where a failure of the log, such as a full disk, must not end the work. */
public final class SafeLogging {

    private SafeLogging() {}

    /** Runs a log statement, and ignores its failure: an appender or a filter of the application may throw. */
    public static void log(Runnable statement) {
        try {
            statement.run();
        } catch (Throwable ignored) {
            // the log is what failed
        }
    }
}
