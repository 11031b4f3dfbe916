package io.leasehold.aop.invocation;

import java.time.Duration;

/** How long lockers wait for a lock when a request leaves it to them. */
@FunctionalInterface
public interface LockerWaitTimes {

    /**
     * The configured wait time of a locker. Asked when one call takes several locks, which share it.
     *
     * @param locker the locker's name
     * @return the wait time, not negative
     */
    Duration of(String locker);
}
