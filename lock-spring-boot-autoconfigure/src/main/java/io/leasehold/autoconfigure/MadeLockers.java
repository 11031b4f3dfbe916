package io.leasehold.autoconfigure;

import io.leasehold.LockerStatus;
import io.leasehold.engine.LeaseLocker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The lockers that {@link LockerFactory} has made so far. Depends on nothing, so that listeners can look at lockers. */
final class MadeLockers {

    static final String NO_BACKEND = "none";

    private final Map<String, LeaseLocker> byName = new ConcurrentHashMap<>();

    void add(LeaseLocker locker) {
        byName.put(locker.name(), locker);
    }

    /**
     * What a locker is doing.
     *
     * @param name the locker's name
     * @return a snapshot; it locks nowhere if it was not made here, or not yet
     */
    LockerStatus status(String name) {
        LeaseLocker locker = byName.get(name);
        return locker == null ? new LockerStatus(name, NO_BACKEND, List.of(), 0, 0) : locker.status();
    }

    Iterable<String> names() {
        return byName.keySet();
    }
}
