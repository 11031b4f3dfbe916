package io.leasehold;

/**
 * The calling thread was interrupted. Its interrupt flag is set. The call has acquired no lock and leaves nothing in
 * the store.
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
