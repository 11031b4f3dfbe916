package io.leasehold.aop.invocation;

import java.time.Duration;

/** The wait times of lockers, for requests that set none. */
@FunctionalInterface
public interface LockerWaitTimes {

    /**
     * The configured wait time of a locker. Used if one call acquires several locks, which share it.
     *
     * @param locker the locker's name
     * @return the wait time, not negative
     */
    Duration of(String locker);
}
