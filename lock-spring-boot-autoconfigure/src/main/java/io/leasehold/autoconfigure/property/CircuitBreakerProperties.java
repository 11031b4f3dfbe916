package io.leasehold.autoconfigure.property;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * A circuit breaker around the acquisitions of each locker.
 *
 * @param enabled Whether acquisitions fail immediately while the store is known to be down. By default, false. Needs
 *     Resilience4j.
 * @param failureRateThreshold Percentage of unanswered acquisitions that opens the circuit breaker. By default, 50.
 * @param slidingWindowSize Number of most recent acquisitions that are counted. By default, 20.
 * @param minimumNumberOfCalls Number of acquisitions before the percentage is evaluated. By default, 5.
 * @param waitDurationInOpenState How long no acquisition is sent to the store. By default, 5s.
 * @param permittedNumberOfCallsInHalfOpenState Number of acquisitions that then test the store. By default, 2.
 */
@ConfigurationProperties(prefix = "lock.circuit-breaker", ignoreUnknownFields = false)
public record CircuitBreakerProperties(
        @Nullable Boolean enabled,
        @Nullable Float failureRateThreshold,
        @Nullable Integer slidingWindowSize,
        @Nullable Integer minimumNumberOfCalls,
        @Nullable Duration waitDurationInOpenState,
        @Nullable Integer permittedNumberOfCallsInHalfOpenState) {

    /** No settings. */
    public static final CircuitBreakerProperties EMPTY =
            new CircuitBreakerProperties(null, null, null, null, null, null);

    /** These settings, with missing ones taken from the common settings. */
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
