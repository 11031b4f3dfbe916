package io.leasehold.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.leasehold.spi.LockId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records why a circuit breaker is open, and until when. Logs one line each time that it opens or closes. */
public final class CircuitBreakerLog {

    private static final Logger log = LoggerFactory.getLogger(CircuitBreakerLog.class);

    private final String locker;

    private final Duration openFor;

    private final InstantSource clock;

    private volatile @Nullable String lastFailure;

    private volatile @Nullable Instant nextTry;

    private volatile boolean forced;

    private CircuitBreakerLog(String locker, Duration openFor, InstantSource clock) {
        this.locker = locker;
        this.openFor = openFor;
        this.clock = clock;
    }

    /** Listens to the circuit breaker of a locker. */
    public static CircuitBreakerLog of(String locker, CircuitBreaker breaker, InstantSource clock) {
        Duration openFor = Duration.ofMillis(breaker.getCircuitBreakerConfig()
                .getWaitIntervalFunctionInOpenState()
                .apply(1));
        CircuitBreakerLog result = new CircuitBreakerLog(locker, openFor, clock);
        breaker.getEventPublisher()
                .onStateTransition(
                        event -> result.entered(event.getStateTransition().getToState()));
        return result;
    }

    /** Returns the message of the last failure of the store, {@code null} if it has not failed. */
    public @Nullable String lastFailure() {
        return lastFailure;
    }

    /** Returns the earliest time of the next attempt, {@code null} if the circuit breaker is not open. */
    public @Nullable Instant nextTry() {
        return nextTry;
    }

    /**
     * Records a failure of the store. Other callers and the endpoint see it, and a key may be confidential, so the
     * message is kept without it.
     *
     * @param lock the lock that was being acquired, {@code null} if there was none
     */
    void failed(Throwable failure, @Nullable LockId lock) {
        String message = failure instanceof CancellationException
                ? "no answer within the command timeout"
                : String.valueOf(failure.getMessage());
        lastFailure = lock == null ? message : message.replace(lock.encoded(), "a lock");
    }

    String refusal() {
        if (forced) {
            return "the circuit breaker of locker '" + locker
                    + "' is open: it was opened by hand, and stays so until it is" + " closed by hand";
        }
        Instant next = nextTry;
        return "the circuit breaker of locker '" + locker + "' is open since its store failed too often (last: "
                + lastFailure + "); "
                + (next == null ? "a first few acquisitions are trying it" : "it is tried again at " + next);
    }

    private void entered(State state) {
        forced = state == State.FORCED_OPEN;
        if (forced) {
            nextTry = null;
            log.warn("Locks are not acquired for now: {}", refusal());
        } else if (state == State.OPEN) {
            nextTry = clock.instant().plus(openFor);
            log.warn("Locks are not acquired for now: {}", refusal());
        } else if (state == State.HALF_OPEN) {
            nextTry = null;
        } else {
            nextTry = null;
            log.info("Locks of locker '{}' are acquired again, its circuit breaker is {}", locker, state);
        }
    }
}
