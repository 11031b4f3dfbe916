package io.leasehold.engine;

import io.leasehold.LockBackendException;
import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One question to the store about the states of locks, answered within a timeout. For a lock that this process holds,
 * the answer has the present holder's fencing token and time, which the store does not know after a hand-over.
 *
 * @param <T> the type of the answer
 */
final class StoreQuery<T> {

    private final LockerState locker;

    private final String subject;

    private final String key;

    private final long timeoutNanos;

    /**
     * Creates a question.
     *
     * @param subject what is unknown if the question fails, such as {@code the state of lock 'a'}
     * @param key the key of the lock, empty if the question is about several
     */
    StoreQuery(LockerState locker, String subject, String key, long timeoutNanos) {
        this.locker = locker;
        this.subject = subject;
        this.key = key;
        this.timeoutNanos = timeoutNanos;
    }

    /** Asks the store once it is connected. Opening the connection may take longer than an answer. */
    CompletableFuture<T> send(Supplier<CompletionStage<T>> question, Function<T, T> complement) {
        if (locker.isConnected()) {
            return ask(question, complement);
        }
        // a copy, because callers share the attempt to connect
        CompletableFuture<Void> connecting = locker.connect().copy();
        if (connecting.isDone()) {
            return connecting.isCompletedExceptionally()
                    ? CompletableFuture.failedFuture(failed(failureOf(connecting)))
                    : ask(question, complement);
        }
        EngineResources resources = locker.resources();
        Scheduler.Task timeout = resources
                .scheduler()
                .schedule(
                        () -> connecting.completeExceptionally(
                                new TimeoutException("no connection to the store within 10 s")),
                        LockerState.LONGEST_CONNECT);
        return connecting
                .whenComplete((connected, failure) -> timeout.cancel())
                .handleAsync(
                        (connected, failure) -> failure, resources.executors().async())
                .thenCompose(failure ->
                        failure == null ? ask(question, complement) : CompletableFuture.failedFuture(failed(failure)));
    }

    private static @Nullable Throwable failureOf(CompletableFuture<?> ended) {
        return ended.handle((value, failure) -> failure).join();
    }

    private CompletableFuture<T> ask(Supplier<CompletionStage<T>> question, Function<T, T> complement) {
        CompletableFuture<T> asked;
        try {
            asked = question.get().toCompletableFuture();
        } catch (Throwable ex) {
            asked = CompletableFuture.failedFuture(ex);
        }
        if (asked.isDone()) {
            return asked.handle((answer, failure) -> complete(answer, failure, complement));
        }
        EngineResources resources = locker.resources();
        CompletableFuture<T> sent = asked;
        Scheduler.Task timeout = resources.scheduler().schedule(() -> sent.cancel(true), timeoutNanos);
        // on the executor, because the caller's dependent stages may block (rules.md R38)
        CompletableFuture<T> answered = sent.whenComplete((answer, failure) -> timeout.cancel())
                .handleAsync(
                        (answer, failure) -> complete(answer, failure, complement),
                        resources.executors().async());
        // a caller that cancels ends the question in the store, which may take many steps
        answered.whenComplete((answer, failure) -> sent.cancel(true));
        return answered;
    }

    /** The holder of a lock, complemented by what this process knows if one of its leases is the lock's. */
    static Held withPresentHolder(LockerState locker, Held held, @Nullable Lease lease) {
        EngineResources resources = locker.resources();
        if (held.kind() != Kind.HOLDER
                || lease == null
                || !resources.tokens().instance().name().equals(held.holder())) {
            return held;
        }
        LeaseHandle holder = lease.holder();
        Duration age = Duration.ofNanos(resources.ticker().nanos() - holder.acquiredAt());
        return new Held(
                held.kind(),
                held.holder(),
                Instant.ofEpochMilli(resources.ticker().wallMillis()).minus(age),
                held.remaining(),
                OptionalLong.of(holder.fencingToken()),
                held.waiting());
    }

    private T complete(@Nullable T answer, @Nullable Throwable failure, Function<T, T> complement) {
        if (answer == null) {
            throw failed(failure);
        }
        return complement.apply(answer);
    }

    private LockBackendException failed(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
        String why = cause instanceof CancellationException
                ? "the store did not answer within "
                        + Duration.ofNanos(timeoutNanos).toMillis() + " ms"
                : String.valueOf(cause == null ? null : cause.getMessage());
        return new LockBackendException(
                subject + " of locker '" + locker.name() + "' is unknown: " + why + locker.storeOrigin(),
                locker.name(),
                key,
                cause);
    }
}
