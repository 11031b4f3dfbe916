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
    OffloadedFuture<T> send(Supplier<CompletionStage<T>> question, Function<T, T> complement) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (locker.isConnected()) {
            ask(question, complement, answer);
        } else {
            connect(() -> ask(question, complement, answer), answer);
        }
        OffloadedFuture<T> delivered =
                OffloadedFuture.of(answer, locker.resources().executors().async());
        // a caller that cancels ends the question in the store, which may take many steps
        delivered.whenComplete((any, failure) -> answer.cancel(true));
        return delivered;
    }

    private void connect(Runnable question, CompletableFuture<T> answer) {
        // a copy, because callers share the attempt to connect
        CompletableFuture<Void> connecting = locker.connect().copy();
        Scheduler.Task timeout = locker.resources()
                .scheduler()
                .schedule(
                        () -> connecting.completeExceptionally(
                                new TimeoutException("no connection to the store within 10 s")),
                        LockerState.LONGEST_CONNECT);
        connecting.whenComplete((connected, failure) -> {
            timeout.cancel();
            if (failure != null) {
                answer.completeExceptionally(failed(failure));
            } else if (!answer.isDone()) {
                question.run();
            }
        });
    }

    private void ask(Supplier<CompletionStage<T>> question, Function<T, T> complement, CompletableFuture<T> answer) {
        CompletableFuture<T> asked;
        try {
            asked = question.get().toCompletableFuture();
        } catch (Throwable ex) {
            asked = CompletableFuture.failedFuture(ex);
        }
        CompletableFuture<T> sent = asked;
        Scheduler.Task timeout = locker.resources().scheduler().schedule(() -> sent.cancel(true), timeoutNanos);
        sent.whenComplete((reply, failure) -> {
            timeout.cancel();
            if (reply == null) {
                answer.completeExceptionally(failed(failure));
            } else {
                answer.complete(complement.apply(reply));
            }
        });
        answer.whenComplete((any, failure) -> sent.cancel(true));
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
