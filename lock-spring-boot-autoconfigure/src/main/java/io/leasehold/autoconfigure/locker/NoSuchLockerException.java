package io.leasehold.autoconfigure.locker;

import java.util.Set;

/** A locker that is not there was asked for by its name. */
public final class NoSuchLockerException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String locker;

    public NoSuchLockerException(String locker, Set<String> known) {
        super("there is no locker '" + locker + "'; there are " + known);
        this.locker = locker;
    }

    public String locker() {
        return locker;
    }
}
