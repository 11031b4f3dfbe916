package io.leasehold.actuate;

import java.time.Instant;
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

    /**
     * How the circuit breaker of a locker is.
     *
     * @param state in Resilience4j's words, such as {@code CLOSED}, {@code OPEN} or {@code HALF_OPEN}
     * @param lastFailure what the store failed with the last time, {@code null} if it never did
     * @param nextTry when the store is tried again, {@code null} unless it is left alone
     */
    public record CircuitBreakerState(
            String state,
            @Nullable String lastFailure,
            @Nullable Instant nextTry) {}
}
