package io.leasehold;

import java.util.Set;

/** The lockers of an application, by name. */
public interface LockerRegistry {

    /**
     * Returns the locker with the given name.
     *
     * @param name the name under which the locker was configured
     * @return the locker
     * @throws IllegalArgumentException if no locker has that name; the message lists the existing names
     */
    Locker get(String name);

    /**
     * Returns the names of all lockers.
     *
     * @return the names, sorted
     */
    Set<String> names();

    /**
     * Returns the present state of a locker. Performs no I/O.
     *
     * @param name the locker's name
     * @return a snapshot
     * @throws IllegalArgumentException if no locker has that name
     */
    LockerStatus status(String name);
}
