package io.leasehold.actuate;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

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
