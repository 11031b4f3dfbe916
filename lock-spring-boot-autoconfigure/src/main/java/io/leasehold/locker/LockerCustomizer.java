package io.leasehold.locker;

import io.leasehold.engine.LockerSettings;

/**
 * Adjusts the settings of each locker after its properties were read. Define it as a bean. Several are applied in their
 * order ({@link org.springframework.core.annotation.Order @Order}), each to the result of the one before. Lockers that
 * the application defines itself are not customized.
 */
@FunctionalInterface
public interface LockerCustomizer {

    /**
     * Adjusts the settings of one locker. Called once, when the locker is created.
     *
     * @param settings the settings so far; {@link LockerSettings#name()} identifies the locker
     * @return the settings to use, with the same name. The locker is not created if this is {@code null}, has another
     *     name, or contradicts the rules for settings
     */
    LockerSettings customize(LockerSettings settings);
}
