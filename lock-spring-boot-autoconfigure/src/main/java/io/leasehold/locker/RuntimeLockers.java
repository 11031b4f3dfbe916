package io.leasehold.locker;

import io.leasehold.engine.LockerSettings;
import java.util.function.UnaryOperator;

/**
 * Creates lockers at run time, for example one for each tenant. A bean of this type exists in every application with
 * lockers.
 *
 * <p>Such a locker behaves like a configured one. Its settings are those of {@code lock.defaults}, its store is that of
 * {@code lock.backend}, and its namespace is its name after {@code lock.namespace}. It participates in transactions,
 * and appears in {@link io.leasehold.LockerRegistry}, the endpoint and the meters until it is closed. All remaining
 * lockers are closed with the application.
 *
 * <p>The methods are thread-safe.
 */
public interface RuntimeLockers {

    /**
     * Creates a locker with the default settings.
     *
     * @param name its name: a letter or digit, then letters, digits and {@code . _ -}
     * @return the locker; close it when it is not needed any more
     * @throws IllegalArgumentException if the name is invalid, or a locker of that name exists
     * @throws LockCustomizerException if a {@link LockerCustomizer} rejects its settings
     */
    default RuntimeLocker create(String name) {
        return create(name, settings -> settings);
    }

    /**
     * Creates a locker with settings of its own.
     *
     * @param name its name: a letter or digit, then letters, digits and {@code . _ -}
     * @param settings changes the default settings, after all {@link LockerCustomizer} beans; must keep the name
     * @return the locker; close it when it is not needed any more
     * @throws IllegalArgumentException if the name is invalid, or a locker of that name exists
     * @throws LockCustomizerException if the settings cannot be used
     */
    RuntimeLocker create(String name, UnaryOperator<LockerSettings> settings);
}
