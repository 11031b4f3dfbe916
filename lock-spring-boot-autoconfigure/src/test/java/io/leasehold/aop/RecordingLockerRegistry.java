package io.leasehold.aop;

import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.LockerStatus;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The lockers of a test. */
final class RecordingLockerRegistry implements LockerRegistry {

    private final Map<String, RecordingLocker> lockers = new TreeMap<>();

    RecordingLockerRegistry(RecordingLocker... lockers) {
        for (RecordingLocker locker : lockers) {
            this.lockers.put(locker.name(), locker);
        }
    }

    @Override
    public Locker get(String name) {
        Locker locker = lockers.get(name);
        if (locker == null) {
            throw new IllegalArgumentException("there is no locker '" + name + "', only " + names());
        }
        return locker;
    }

    @Override
    public Set<String> names() {
        return lockers.keySet();
    }

    @Override
    public LockerStatus status(String name) {
        return LockerStatus.idle(name, "fake");
    }
}
