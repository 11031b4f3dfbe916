package io.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * The store refused, failed or did not answer, so nothing is known about the lock but this: the caller does not hold
 * it because of this call, and what the call may have left in the store is being removed. Look at the cause, repair the
 * store or its configuration, try again.
 */
public class LockBackendException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what was asked of the store, and how it failed
     * @param locker the locker's name
     * @param key what was to be locked
     * @param cause what the store's client threw
     */
    public LockBackendException(String message, String locker, String key, @Nullable Throwable cause) {
        super(message, locker, key, cause);
    }
}
