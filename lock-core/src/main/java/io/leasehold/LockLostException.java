package io.leasehold;

/**
 * The lock was lost before its holder released it. Another holder may have worked at the same time. Check or undo the
 * work.
 */
public class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    private final LossReason reason;

    /**
     * Creates the exception.
     *
     * @param locker the locker's name
     * @param key the key that was locked
     * @param reason why the lock was lost
     */
    public LockLostException(String locker, String key, LossReason reason) {
        super(
                "lock '" + key + "' of locker '" + locker + "' was lost: " + reason.explanation()
                        + "; another holder may have worked at the same time",
                locker,
                key,
                null);
        this.reason = reason;
    }

    /**
     * Returns why the lock was lost.
     *
     * @return the reason
     */
    public LossReason reason() {
        return reason;
    }
}
