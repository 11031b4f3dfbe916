package io.leasehold.actuate;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Provides the state of the circuit breakers of lockers. */
@FunctionalInterface
public interface CircuitBreakerProbe {

    /** Returns the state of the circuit breaker of a locker, {@code null} if the locker has none. */
    @Nullable
    CircuitBreakerState state(String locker);

    /**
     * The state of the circuit breaker of a locker.
     *
     * @param state the name of the state in Resilience4j, such as {@code CLOSED}, {@code OPEN} or {@code HALF_OPEN}
     * @param lastFailure the last failure of the store, {@code null} if there was none
     * @param nextTry the time of the next attempt, {@code null} unless the circuit breaker is open
     */
    public record CircuitBreakerState(
            String state,
            @Nullable String lastFailure,
            @Nullable Instant nextTry) {}
}
