package io.leasehold.actuate;

import org.jspecify.annotations.Nullable;

/** Tells how the circuit breakers of lockers are. */
@FunctionalInterface
public interface CircuitBreakerProbe {

    /**
     * How the circuit breaker of a locker is.
     *
     * @param locker the locker's name
     * @return its state, {@code null} if the locker has none
     */
    @Nullable
    CircuitBreakerState state(String locker);
}
