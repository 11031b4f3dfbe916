package io.leasehold.autoconfigure.backend;

import io.leasehold.engine.LockerSettings;
import io.leasehold.spi.LockBackend;

/**
 * A store that lockers can choose by name. Each {@code <Store>LockBackendConfiguration} defines one as a bean, if the
 * store's client is on the class path.
 */
public interface LockBackendFactory {

    /**
     * The name in {@code lock.backend} and {@code lock.lockers.<name>.backend}, and the value of the tag in metrics.
     *
     * @return the name, in lower case with hyphens
     */
    String backend();

    /**
     * Whether the application configures this store, so that lockers that name no store can use it. Defaults of a
     * client do not count.
     *
     * @return {@code false} unless the store is configured
     */
    default boolean isConfigured() {
        return false;
    }

    /**
     * Whether all lockers use this store, whatever store they name. A test replaces the stores of an application that
     * way.
     *
     * @return {@code false} unless this store replaces all others
     */
    default boolean replacesOthers() {
        return false;
    }

    /**
     * Whether the store opens connections. A store without connections stays when the application stops and starts
     * again.
     *
     * @return {@code true} unless the store has none
     */
    default boolean hasConnections() {
        return true;
    }

    /**
     * The place where the application configures the store, for messages.
     *
     * @return properties, without secrets
     */
    String setBy();

    /**
     * Creates the store. Called when the first locker needs it; all lockers share it, and it is closed with the
     * application. A store that has connections is closed when the application stops, and created again if the
     * application starts again. Does not wait for the store, because an unreachable store must not prevent the
     * application from starting, and opens no connection to it.
     *
     * <p>If two threads need the store first, each may create one. One of them is closed and not used.
     *
     * @return the store
     */
    LockBackend create();

    /**
     * Called with a store that has connections after each creation, once it is certain that lockers use it.
     *
     * @param store the result of {@link #create}
     */
    default void created(LockBackend store) {}

    /**
     * Rejects a locker that this store could never serve.
     *
     * @param settings the settings of the locker
     */
    default void check(LockerSettings settings) {}
}
