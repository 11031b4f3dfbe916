package io.leasehold;

/** The lock ended while its holder worked. What was done under it may have met another holder's work: check or undo. */
public class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    private final LossReason reason;

    /**
     * Creates the exception.
     *
     * @param locker the locker's name
     * @param key what was locked
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
     * Why the lock was lost.
     *
     * @return the reason
     */
    public LossReason reason() {
        return reason;
    }
}
