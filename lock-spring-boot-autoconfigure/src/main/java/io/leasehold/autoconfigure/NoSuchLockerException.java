package io.leasehold.autoconfigure;

import java.util.Set;

/** A locker that is not there was asked for by its name. */
final class NoSuchLockerException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String locker;

    NoSuchLockerException(String locker, Set<String> known) {
        super("there is no locker '" + locker + "'; there are " + known);
        this.locker = locker;
    }

    String locker() {
        return locker;
    }
}
