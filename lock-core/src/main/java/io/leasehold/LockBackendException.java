package io.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * The store refused the operation, failed or did not answer, or the locker did not send it. An acquisition that fails
 * with this exception holds no lock, and what it may have left in the store is being removed. A renewal that fails with
 * it leaves the lock held until its validity ends. Locked work that has run fails with it only if the machine seems to
 * have been suspended and the store did not confirm the lock. Check the cause, repair the store or its configuration,
 * then retry.
 */
public class LockBackendException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message the operation that failed, and how it failed
     * @param locker the locker's name
     * @param key the key that was to be locked
     * @param cause the exception of the store's client, if any
     */
    public LockBackendException(String message, String locker, String key, @Nullable Throwable cause) {
        super(message, locker, key, cause);
    }
}
