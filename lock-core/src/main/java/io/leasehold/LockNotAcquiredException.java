package io.leasehold;

import java.time.Duration;

/** Other holders held the lock for the whole wait time. Retry later, or skip the work. */
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
        super(
                "lock '" + key + "' of locker '" + locker
                        + "' was not acquired: it was held, by this process or another, for the " + waited.toMillis()
                        + " ms that were waited",
                locker,
                key,
                null);
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
