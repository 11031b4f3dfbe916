package io.leasehold.benchmarks.contestant;

/** A contestant that is connected to the store; used by many threads, and up to the end of its process. */
public interface LockClient {

    /**
     * Takes a lock, waiting for it as long as needed.
     *
     * @param key what to lock
     * @return the held lock
     * @throws Exception if the lock was not taken
     */
    Hold acquire(String key) throws Exception;
}
