package io.leasehold;

import java.time.Duration;

/**
 * Other holders held the lock for the whole wait time, or the calling thread works under it. Retry later, or skip the
 * work.
 */
public class LockNotAcquiredException extends LockException {

    private static final long serialVersionUID = 1L;

    private final Duration waited;

    /**
     * Creates the exception.
     *
     * @param locker the locker's name
     * @param key the key that was to be locked
     * @param waited how long the caller waited
     */
    public LockNotAcquiredException(String locker, String key, Duration waited) {
        this(locker, key, waited, new LockState.Unknown("the store was not asked"));
    }

    /**
     * Creates the exception with the state of the lock after the wait, which becomes part of the message.
     *
     * @param locker the locker's name
     * @param key the key that was to be locked
     * @param waited how long the caller waited
     * @param state the state of the lock, {@link LockState.Unknown} if the message should not contain it
     */
    public LockNotAcquiredException(String locker, String key, Duration waited, LockState state) {
        this(
                locker,
                key,
                waited,
                "it was held, by this process or another, for the " + waited.toMillis() + " ms that were waited"
                        + (state instanceof LockState.Unknown ? "" : "; now it is " + state));
    }

    /**
     * Creates the exception with the reason for which the caller could not get the lock.
     *
     * @param locker the locker's name
     * @param key the key that was to be locked
     * @param waited how long the caller waited
     * @param reason the holder, and the next step of the caller
     */
    public LockNotAcquiredException(String locker, String key, Duration waited, String reason) {
        super("lock '" + key + "' of locker '" + locker + "' was not acquired: " + reason, locker, key, null);
        this.waited = waited;
    }

    /**
     * Returns how long the caller waited.
     *
     * @return the time waited
     */
    public Duration waited() {
        return waited;
    }
}
