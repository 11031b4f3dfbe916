package io.leasehold.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.support.SafeCancellation;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store whose acquisitions fail immediately while it is known to be down.
 *
 * <ol>
 *   <li>An acquisition counts as a success if the store answered, even with busy or a refusal, and as a failure if the
 *       store failed or did not answer. An acquisition that is cancelled within half of its command timeout was given
 *       up by its caller, and does not count. A failed attempt to connect counts as a failure; a successful one does not
 *       count, because the acquisition follows.
 *   <li>While the circuit breaker is open, no acquisition is sent, and the exception has the reason and the time of the
 *       next attempt.
 *   <li>Renewals and releases always go to the store: a held lock must not be lost because other acquisitions failed,
 *       and tokens that an attempt may have left in the store must be removed.
 * </ol>
 *
 * <p>Does not close the store.
 */
public final class CircuitBreakerLockBackend extends DelegatingLockBackend {

    private static final Set<State> MAY_REFUSE = EnumSet.of(State.OPEN, State.HALF_OPEN, State.FORCED_OPEN);

    private final CircuitBreaker breaker;

    private final CircuitBreakerLog log;

    private final Executor executor;

    /**
     * Puts a circuit breaker around a store.
     *
     * @param store the store
     * @param breaker the circuit breaker
     * @param log records why the circuit breaker is open
     * @param executor asks for permissions and counts ends, and so runs the application's consumers of the circuit
     *     breaker's events, which may block: an attempt may begin, and an end arrive, on a thread of the engine or of the
     *     store's client (rules.md R38). If it refuses to count, the end is counted where it arrives
     */
    public CircuitBreakerLockBackend(
            LockBackend store, CircuitBreaker breaker, CircuitBreakerLog log, Executor executor) {
        super(store);
        this.breaker = breaker;
        this.log = log;
        this.executor = executor;
    }

    @Override
    public CompletionStage<Void> connect() {
        return ifPermitted(() -> {
            long start = breaker.getCurrentTimestamp();
            CompletableFuture<Void> opened;
            try {
                // what the caller cancels: it may be a copy, whose end the stage does not see
                opened = super.connect().toCompletableFuture();
            } catch (RuntimeException | Error ex) {
                countLater(start, ex, null, Duration.ZERO);
                throw ex;
            }
            CompletableFuture<Void> counted = opened.whenComplete((nothing, failure) -> {
                        if (failure == null) {
                            // immediately, because the acquisition follows; this publishes no event
                            breaker.releasePermission();
                        } else {
                            // no caller alone cancels it, since all that wait for the store share it
                            countLater(start, failure, null, Duration.ZERO);
                        }
                    })
                    // ends after the count, whose permission the acquisition that follows takes; and a copy, because a
                    // caller that ended the count itself would prevent it
                    .copy();
            // an attempt that its callers have given up on ends in the store too
            counted.whenComplete((nothing, failure) -> SafeCancellation.cancel(opened));
            return counted;
        });
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        return ifPermitted(() -> {
            long start = breaker.getCurrentTimestamp();
            Duration half = command.commandTimeout().dividedBy(2);
            CompletableFuture<AcquireAnswer> answered;
            try {
                answered = super.acquire(command).toCompletableFuture();
            } catch (RuntimeException | Error ex) {
                countLater(start, ex, command.id(), half);
                throw ex;
            }
            answered.whenComplete((answer, failure) -> countLater(start, failure, command.id(), half));
            return answered;
        });
    }

    /**
     * Calls the store if the circuit breaker permits it. One that may refuse is asked on the executor, since it publishes
     * that it does, or that it lets a first few calls pass. A consumer that blocks delays these answers.
     */
    private <T> CompletableFuture<T> ifPermitted(Supplier<CompletableFuture<T>> call) {
        if (!MAY_REFUSE.contains(breaker.getState())) {
            return call.get();
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        executor.execute(() -> {
            if (result.isDone()) {
                // its caller has given up, and must not take a permission from the others
                return;
            }
            try {
                if (!breaker.tryAcquirePermission()) {
                    result.completeExceptionally(new BackendFailure(Effect.REFUSED, log.refusal(), null));
                    return;
                }
                CompletableFuture<T> called = call.get();
                called.whenComplete((answer, failure) -> {
                    if (failure != null) {
                        result.completeExceptionally(failure);
                    } else if (!result.complete(answer) && answer instanceof AcquireAnswer late) {
                        late.discard();
                    }
                });
                result.whenComplete((answer, failure) -> SafeCancellation.cancel(called));
            } catch (Throwable ex) {
                result.completeExceptionally(ex);
            }
        });
        return result;
    }

    /** Does not close the store, which other circuit breakers may use. */
    @Override
    public void close() {}

    private void countLater(long start, @Nullable Throwable thrown, @Nullable LockId lock, Duration unanswered) {
        long lasted = breaker.getCurrentTimestamp() - start;
        Throwable failure =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        try {
            executor.execute(() -> count(lasted, failure, lock, unanswered));
        } catch (RuntimeException | Error refused) {
            // a trial that is never counted would keep the circuit breaker half-open for good
            count(lasted, failure, lock, unanswered);
        }
    }

    /** Counts an end. A cancellation before the given time is none: the caller has given up. */
    private void count(long lasted, @Nullable Throwable failure, @Nullable LockId lock, Duration unanswered) {
        if (failure == null || failure instanceof BackendFailure known && known.effect() == Effect.REFUSED) {
            breaker.onSuccess(lasted, breaker.getTimestampUnit());
        } else if (failure instanceof CancellationException
                && unanswered.compareTo(
                                Duration.of(lasted, breaker.getTimestampUnit().toChronoUnit()))
                        > 0) {
            breaker.releasePermission();
        } else {
            log.failed(failure, lock);
            breaker.onError(lasted, breaker.getTimestampUnit(), failure);
        }
    }
}
