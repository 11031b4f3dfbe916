package io.leasehold;

import org.jspecify.annotations.Nullable;

/** The root of what goes wrong with a lock. Its subtypes differ in what the caller does next. */
public abstract class LockException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String locker;

    private final String key;

    /**
     * Creates the exception.
     *
     * @param message what went wrong
     * @param locker the locker's name
     * @param key what was to be locked
     * @param cause what the store's client threw, if anything
     */
    protected LockException(String message, String locker, String key, @Nullable Throwable cause) {
        super(message, cause);
        this.locker = locker;
        this.key = key;
    }

    /**
     * The locker that was asked.
     *
     * @return the locker's name
     */
    public String locker() {
        return locker;
    }

    /**
     * What was, or was to be, locked.
     *
     * @return the key as the caller gave it
     */
    public String key() {
        return key;
    }
}
