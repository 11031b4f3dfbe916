package io.leasehold.autoconfigure.locker;

import io.leasehold.LockListener;
import io.leasehold.engine.LockEngine;
import java.util.function.Supplier;

/** Creates the engine of an application. A test defines a bean of this type to lock in virtual time. */
@FunctionalInterface
public interface LockEngineFactory {

    /**
     * Creates the engine. Called once; the engine is closed with the application.
     *
     * @param listener receives every event
     * @param instanceName returns the name of this process as the holder of locks, by default of
     *     {@code lock.instance-name}
     */
    LockEngine create(LockListener listener, Supplier<String> instanceName);
}
