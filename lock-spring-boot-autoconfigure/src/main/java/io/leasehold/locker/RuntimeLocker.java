package io.leasehold.locker;

import io.leasehold.Locker;

/** A locker that was created at run time. */
public interface RuntimeLocker extends Locker, AutoCloseable {

    /**
     * Closes the locker. Callers that wait for a lock, and later calls, fail with a {@link
     * io.leasehold.LockBackendException}. Locks that are still held are lost with {@link
     * io.leasehold.LossReason#SHUTDOWN} and released in the store. This method waits for open commands, no longer than
     * the command timeout, and for the release, no longer than a second. The locker then disappears from the registry,
     * the endpoint and the meters, and its name can be used again. A second call has no effect.
     */
    @Override
    void close();
}
