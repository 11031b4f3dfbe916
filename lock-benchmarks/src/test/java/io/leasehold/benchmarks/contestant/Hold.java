package io.leasehold.benchmarks.contestant;

/** A lock that is held. Given back once, by the thread that took it. */
@FunctionalInterface
public interface Hold {

    /**
     * Gives the lock back; it is free when this returns, except with those who are named for not waiting for that.
     *
     * @throws Exception if it was lost, or may not be free
     */
    void release() throws Exception;
}
