package io.leasehold.autoconfigure;

import io.leasehold.Locker;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;

/** Makes the locker beans that {@link LockersRegistrar} has defined. */
final class LockerFactory {

    static final String BEAN = "lockerFactory";

    private final LockEngine engine;

    private final LockerStores stores;

    private final LockerConfigurations configurations;

    private final MadeLockers made;

    LockerFactory(LockEngine engine, LockerStores stores, LockerConfigurations configurations, MadeLockers made) {
        this.engine = engine;
        this.stores = stores;
        this.configurations = configurations;
        this.made = made;
    }

    Locker locker(String name) {
        LockerConfiguration configuration = configurations.get(name);
        String store = stores.name(configuration);
        LeaseLocker locker = engine.locker(configuration.settings(), store, stores.get(store, configuration));
        made.add(locker);
        return locker;
    }
}
