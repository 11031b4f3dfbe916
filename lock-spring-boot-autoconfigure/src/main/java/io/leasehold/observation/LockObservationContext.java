package io.leasehold.observation;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/** What the observations of a lock have in common. */
public abstract class LockObservationContext extends Observation.Context {

    private final String locker;

    private final String backend;

    private final @Nullable String key;

    LockObservationContext(String locker, String backend, @Nullable String key) {
        this.locker = locker;
        this.backend = backend;
        this.key = key;
    }

    /** The locker's name. */
    public String locker() {
        return locker;
    }

    /** The kind of the locker's store. */
    public String backend() {
        return backend;
    }

    /** The key, masked if the locker masks keys; {@code null} unless {@code lock.observations.include-key} is set. */
    public @Nullable String key() {
        return key;
    }
}
