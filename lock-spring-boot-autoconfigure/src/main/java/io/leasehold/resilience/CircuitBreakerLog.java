package io.leasehold.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Why a circuit breaker is open, and until when; one line in the log for each time that it opens or closes. */
public final class CircuitBreakerLog {

    private static final Logger log = LoggerFactory.getLogger(CircuitBreakerLog.class);

    private final String locker;

    private final Duration openFor;

    private final InstantSource clock;

    private volatile @Nullable String lastFailure;

    private volatile @Nullable Instant nextTry;

    private CircuitBreakerLog(String locker, Duration openFor, InstantSource clock) {
        this.locker = locker;
        this.openFor = openFor;
        this.clock = clock;
    }

    /**
     * Listens to a circuit breaker.
     *
     * @param locker whose it is
     * @param breaker the circuit breaker
     * @param openFor how long it stays open
     * @param clock tells the time
     * @return what is known of it
     */
    public static CircuitBreakerLog of(String locker, CircuitBreaker breaker, Duration openFor, InstantSource clock) {
        CircuitBreakerLog result = new CircuitBreakerLog(locker, openFor, clock);
        breaker.getEventPublisher()
                .onStateTransition(
                        event -> result.entered(event.getStateTransition().getToState()));
        return result;
    }

    /**
     * What the store failed with the last time.
     *
     * @return a message, {@code null} if it never did
     */
    public @Nullable String lastFailure() {
        return lastFailure;
    }

    /**
     * When the store is tried again.
     *
     * @return the earliest moment, {@code null} if it is not left alone
     */
    public @Nullable Instant nextTry() {
        return nextTry;
    }

    void failed(Throwable failure) {
        lastFailure = failure instanceof CancellationException
                ? "no answer within the command timeout"
                : String.valueOf(failure.getMessage());
    }

    String refusal() {
        Instant next = nextTry;
        return "the circuit breaker of locker '" + locker + "' is open since its store failed too often (last: "
                + lastFailure + "); "
                + (next == null ? "a first few acquisitions are trying it" : "it is tried again at " + next);
    }

    private void entered(State state) {
        if (state == State.OPEN) {
            nextTry = clock.instant().plus(openFor);
            log.warn("Locks are not acquired for now: {}", refusal());
        } else if (state == State.HALF_OPEN) {
            nextTry = null;
        } else {
            nextTry = null;
            log.info("The store of locker '{}' answers again, its circuit breaker is {}", locker, state);
        }
    }
}
