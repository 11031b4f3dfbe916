package io.leasehold.autoconfigure.locker;

import io.leasehold.autoconfigure.backend.BackendChoice;
import io.leasehold.autoconfigure.property.CircuitBreakerProperties;
import io.leasehold.autoconfigure.property.LockerName;
import io.leasehold.autoconfigure.property.LockerProperties;
import io.leasehold.autoconfigure.property.PropertyValue;
import io.leasehold.engine.LockerSettings;

/**
 * The configuration of one locker.
 *
 * @param backend the choice of its store
 * @param circuitBreaker the choice of its circuit breaker
 * @param namespaceIsUndecided whether neither the locker's namespace nor {@code lock.namespace} is set
 */
public record LockerConfiguration(
        LockerSettings settings, BackendChoice backend, BreakerChoice circuitBreaker, boolean namespaceIsUndecided) {

    /**
     * The circuit breaker of a locker.
     *
     * @param own the locker's own settings, and the prefix of their properties
     * @param common the settings of all lockers, and the prefix of theirs
     */
    public record BreakerChoice(
            PropertyValue<CircuitBreakerProperties> own, PropertyValue<CircuitBreakerProperties> common) {

        static BreakerChoice of(LockerName locker, LockerProperties settings, CircuitBreakerProperties common) {
            CircuitBreakerProperties own = settings.circuitBreaker();
            return new BreakerChoice(
                    new PropertyValue<>(
                            locker.property("circuit-breaker"), own == null ? CircuitBreakerProperties.EMPTY : own),
                    new PropertyValue<>("lock.circuit-breaker", common));
        }

        /** The locker's own settings, with missing ones taken from the common settings. */
        public CircuitBreakerProperties settings() {
            return own.value().or(common.value());
        }

        /** The property that switches it on, or would switch it on. */
        String enabledBy() {
            return (own.value().enabled() == null ? common : own).property() + ".enabled";
        }
    }
}
