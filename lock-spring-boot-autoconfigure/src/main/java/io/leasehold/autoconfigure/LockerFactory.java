package io.leasehold.autoconfigure;

import io.leasehold.Locker;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;

/** Makes the locker beans that {@link LockersRegistrar} has defined. */
final class LockerFactory {

    static final String BEAN = "lockerFactory";

    private final LockEngine engine;

    private final LockBackends backends;

    private final LockerConfigurations configurations;

    private final MadeLockers made;

    LockerFactory(LockEngine engine, LockBackends backends, LockerConfigurations configurations, MadeLockers made) {
        this.engine = engine;
        this.backends = backends;
        this.configurations = configurations;
        this.made = made;
    }

    Locker locker(String name) {
        LockerConfiguration configuration = configurations.get(name);
        String backend = backends.name(configuration.backend());
        backends.check(backend, configuration.settings());
        LeaseLocker locker = engine.locker(configuration.settings(), backend, backends.get(backend));
        made.add(locker);
        return locker;
    }

    DefaultLocker defaultLocker(String name) {
        return new DefaultLocker(locker(name));
    }
}
