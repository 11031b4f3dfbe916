package io.leasehold;

import java.util.Set;

/** The lockers of an application, by name. */
public interface LockerRegistry {

    /**
     * A locker by its name.
     *
     * @param name the name under which it was configured
     * @return the locker
     * @throws IllegalArgumentException if there is none of that name; the message lists those that there are
     */
    Locker get(String name);

    /**
     * The names of all lockers.
     *
     * @return the names, sorted
     */
    Set<String> names();

    /**
     * What a locker is doing at this moment. Does no I/O.
     *
     * @param name the locker's name
     * @return a snapshot
     * @throws IllegalArgumentException if there is none of that name
     */
    LockerStatus status(String name);
}
