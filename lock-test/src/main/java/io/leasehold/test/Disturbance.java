package io.leasehold.test;

/** A condition that a test has caused by {@link TestLocks}. It ends with {@link #close()}, or else with the test. */
public interface Disturbance extends AutoCloseable {

    /** Ends the condition. Later calls have no effect. */
    @Override
    void close();
}
