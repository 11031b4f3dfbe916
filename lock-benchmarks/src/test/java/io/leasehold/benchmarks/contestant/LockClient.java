package io.leasehold.benchmarks.contestant;

/** A contestant that is connected to the store. Many threads use it until its process ends. */
public interface LockClient {

    /**
     * Acquires a lock and waits for it as long as needed.
     *
     * @param key the key to lock
     * @return the held lock
     * @throws Exception if the lock was not acquired
     */
    Hold acquire(String key) throws Exception;
}
