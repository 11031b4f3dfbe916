package io.leasehold.autoconfigure.adapter;

import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.locker.NoSuchLockerException;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import org.springframework.util.StringUtils;

/** Finds the locker that a property of an adapter names. */
final class AdapterLocker {

    private AdapterLocker() {}

    static Locker find(LockerRegistry lockers, String property, String name) {
        if (!StringUtils.hasText(name)) {
            throw new LockConfigurationException(
                    property, name, "must be the name of a locker", "Name one of " + lockers.names() + ".");
        }
        try {
            return lockers.get(name);
        } catch (NoSuchLockerException ex) {
            throw new LockConfigurationException(
                    property, name, "names no locker; there are " + lockers.names(), ex.nextStep());
        }
    }
}
