package io.leasehold.benchmarks.contestant;

/** A lock that is held. The thread that acquired it releases it once. */
@FunctionalInterface
public interface Hold {

    /**
     * Releases the lock. The lock is free when this method returns, except with contestants whose names say that they
     * do not wait for the release.
     *
     * @throws Exception if the lock was lost, or may not be free
     */
    void release() throws Exception;
}
