package io.leasehold.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A store whose acquisitions fail at once while it is known to be down.
 *
 * <ol>
 *   <li>Each acquisition counts: as good if the store answered, be it with busy or with a refusal; as bad if it was not
 *       able to or gave no answer. One that its caller gave up before that could be known does not count. A connection
 *       that could not be opened counts as bad; one that was opened does not count, since the acquisition will.
 *   <li>While the circuit breaker is open, nothing is sent, and the failure says why and until when.
 *   <li>Renewals and releases always go to the store: a lock that is held must not be lost because others were not
 *       acquired, and what an attempt may have left behind must go.
 * </ol>
 *
 * <p>Does not close the store.
 */
public final class CircuitBreakerLockBackend implements LockBackend {

    private final LockBackend store;

    private final CircuitBreaker breaker;

    private final CircuitBreakerLog log;

    private final Duration patience;

    /**
     * Puts a circuit breaker around a store.
     *
     * @param store the store
     * @param breaker the circuit breaker
     * @param log what is known of the breaker's last opening
     * @param patience an acquisition that is cancelled after less than this was not wanted any more; after more, it was
     *     not answered
     */
    public CircuitBreakerLockBackend(
            LockBackend store, CircuitBreaker breaker, CircuitBreakerLog log, Duration patience) {
        this.store = store;
        this.breaker = breaker;
        this.log = log;
        this.patience = patience;
    }

    @Override
    public CompletionStage<Void> connect() {
        if (!breaker.tryAcquirePermission()) {
            return CompletableFuture.failedFuture(isOpen());
        }
        long start = breaker.getCurrentTimestamp();
        CompletionStage<Void> opened;
        try {
            opened = store.connect();
        } catch (RuntimeException ex) {
            count(start, ex);
            throw ex;
        }
        opened.whenComplete((nothing, failure) -> {
            if (failure == null) {
                breaker.releasePermission();
            } else {
                count(start, failure);
            }
        });
        return opened;
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        if (!breaker.tryAcquirePermission()) {
            return CompletableFuture.failedFuture(isOpen());
        }
        long start = breaker.getCurrentTimestamp();
        CompletionStage<AcquireAnswer> stage;
        try {
            stage = store.acquire(command);
        } catch (RuntimeException ex) {
            count(start, ex);
            throw ex;
        }
        stage.whenComplete((answer, failure) -> count(start, failure));
        return stage;
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        return store.renew(commands);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        return store.release(command);
    }

    @Override
    public CompletionStage<List<SafetyFinding>> inspect() {
        return store.inspect();
    }

    @Override
    public CompletionStage<OptionalLong> clockMillis() {
        return store.clockMillis();
    }

    private BackendFailure isOpen() {
        return new BackendFailure(Effect.REFUSED, log.refusal(), null);
    }

    private void count(long start, @Nullable Throwable thrown) {
        long lasted = breaker.getCurrentTimestamp() - start;
        Throwable failure =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (failure == null || failure instanceof BackendFailure told && told.effect() == Effect.REFUSED) {
            breaker.onSuccess(lasted, breaker.getTimestampUnit());
        } else if (failure instanceof CancellationException
                && patience.compareTo(
                                Duration.of(lasted, breaker.getTimestampUnit().toChronoUnit()))
                        > 0) {
            breaker.releasePermission();
        } else {
            log.failed(failure);
            breaker.onError(lasted, breaker.getTimestampUnit(), failure);
        }
    }
}
