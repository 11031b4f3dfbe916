package io.leasehold;

/**
 * The calling thread was interrupted. Its interrupt flag is set. An interrupted acquisition holds no lock, and what it
 * may have left in the store is being removed. An interrupted renewal leaves the lock held.
 */
public class LockInterruptedException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param locker the locker's name
     * @param key the key that was to be locked
     */
    public LockInterruptedException(String locker, String key) {
        super("interrupted while waiting for lock '" + key + "' of locker '" + locker + "'", locker, key, null);
    }
}
