package io.leasehold.autoconfigure;

import io.leasehold.spi.LockBackend;

/** Puts something between a locker and its store. */
@FunctionalInterface
interface LockerGuard {

    /**
     * Guards the store of one locker.
     *
     * @param locker how the locker is configured
     * @param store where it locks
     * @return what it is to use instead
     */
    LockBackend guard(LockerConfiguration locker, LockBackend store);
}
