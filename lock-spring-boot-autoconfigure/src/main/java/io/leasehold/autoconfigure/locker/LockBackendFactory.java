package io.leasehold.autoconfigure.locker;

import io.leasehold.engine.LockerSettings;
import io.leasehold.spi.LockBackend;

/**
 * A store that lockers can choose by name. Each {@code <Store>LockBackendConfiguration} defines one as a bean, as far as
 * the store's client is there.
 */
public interface LockBackendFactory {

    /**
     * The name in {@code lock.backend} and {@code lock.lockers.<name>.backend}, and the value of the tag in metrics.
     *
     * @return the name, in lower case with hyphens
     */
    String backend();

    /**
     * Whether the application says where this store is, so that it can be taken by lockers that name none. Defaults of a
     * client are no such word.
     *
     * @return {@code false} unless the store is configured
     */
    default boolean isConfigured() {
        return false;
    }

    /**
     * Where the application says how the store is reached, for messages.
     *
     * @return properties, without secrets
     */
    String setBy();

    /**
     * Makes the store. Called once, when the first locker needs it; all lockers share it, and it is closed with the
     * application. Does not wait for the store: one that cannot be reached must not keep the application from starting.
     *
     * @return the store
     */
    LockBackend create();

    /**
     * Refuses a locker that this store could never serve.
     *
     * @param settings how the locker locks
     */
    default void check(LockerSettings settings) {}
}
