package io.leasehold;

import org.jspecify.annotations.Nullable;

/** The base class of all exceptions of locks. Each subtype calls for a different reaction of the caller. */
public abstract class LockException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String locker;

    private final String key;

    /**
     * Creates the exception. Its message has the key as {@link LockState#printable} returns it, because keys often come
     * from requests, and applications log the message.
     *
     * @param message the description of the failure
     * @param locker the locker's name
     * @param key the key that was, or was to be, locked
     * @param cause the exception of the store's client, if any
     */
    protected LockException(String message, String locker, String key, @Nullable Throwable cause) {
        super(message.replace(key, LockState.printable(key)), cause);
        this.locker = locker;
        this.key = key;
    }

    /**
     * Returns the name of the locker whose lock failed.
     *
     * @return the locker's name
     */
    public String locker() {
        return locker;
    }

    /**
     * Returns the key that was, or was to be, locked.
     *
     * @return the key as {@link Locker#visibleKey} returns it
     */
    public String key() {
        return key;
    }
}
