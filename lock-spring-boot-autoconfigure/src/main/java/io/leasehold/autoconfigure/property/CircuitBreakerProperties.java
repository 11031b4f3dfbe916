package io.leasehold.autoconfigure.property;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * A circuit breaker around the acquisitions of each locker.
 *
 * @param enabled Whether acquisitions fail at once while the store is known to be down. By default not. Needs Resilience4j.
 * @param failureRateThreshold Share of failed acquisitions that opens the circuit breaker, in per cent. By default 50.
 * @param slidingWindowSize How many of the last acquisitions are looked at. By default 20.
 * @param minimumNumberOfCalls How many acquisitions it takes before the share counts. By default 5.
 * @param waitDurationInOpenState How long the store is left alone. By default 5s.
 * @param permittedNumberOfCallsInHalfOpenState How many acquisitions then try it. By default 2.
 */
@ConfigurationProperties(prefix = "lock.circuit-breaker", ignoreUnknownFields = false)
public record CircuitBreakerProperties(
        @Nullable Boolean enabled,
        @Nullable Float failureRateThreshold,
        @Nullable Integer slidingWindowSize,
        @Nullable Integer minimumNumberOfCalls,
        @Nullable Duration waitDurationInOpenState,
        @Nullable Integer permittedNumberOfCallsInHalfOpenState) {

    /** What is set here, and of the rest what is set there. */
    public CircuitBreakerProperties or(CircuitBreakerProperties common) {
        return new CircuitBreakerProperties(
                enabled != null ? enabled : common.enabled,
                failureRateThreshold != null ? failureRateThreshold : common.failureRateThreshold,
                slidingWindowSize != null ? slidingWindowSize : common.slidingWindowSize,
                minimumNumberOfCalls != null ? minimumNumberOfCalls : common.minimumNumberOfCalls,
                waitDurationInOpenState != null ? waitDurationInOpenState : common.waitDurationInOpenState,
                permittedNumberOfCallsInHalfOpenState != null
                        ? permittedNumberOfCallsInHalfOpenState
                        : common.permittedNumberOfCallsInHalfOpenState);
    }

    public boolean isEnabled() {
        return Boolean.TRUE.equals(enabled);
    }
}
