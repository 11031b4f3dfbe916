package io.leasehold.engine;

import io.leasehold.LockBackendException;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.spi.LockId;
import io.leasehold.support.OffloadedFuture;
import io.leasehold.support.SafeCancellation;
import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One question to the store about the states of locks, answered within a timeout. For a lock that this process holds,
 * the answer has the present holder's fencing token and time, which the store does not know after a hand-over.
 *
 * @param <T> the type of the answer
 */
final class StoreQuery<T> {

    /** A listing takes several steps of the store. */
    private static final Duration LISTING_TIMEOUT = Duration.ofSeconds(10);

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

    /**
     * Asks for the state of a lock.
     *
     * @param own returns the leases of this process for it
     */
    static OffloadedFuture<LockState> state(
            LockerState locker, String key, long timeoutNanos, Supplier<List<Lease>> own) {
        LockId id = LockId.of(locker.settings().namespace(), key);
        return new StoreQuery<LockState>(locker, "the state of lock '" + key + "'", key, timeoutNanos)
                .send(
                        () -> locker.backend().describe(id),
                        state -> state instanceof Held held ? withPresentHolder(locker, held, own.get()) : state);
    }

    /**
     * Asks for the locks of the locker's namespace, up to a limit.
     *
     * @param own returns the leases of this process for them
     */
    static OffloadedFuture<LockListing> listing(LockerState locker, int limit, Supplier<List<Lease>> own) {
        return new StoreQuery<LockListing>(locker, "the listing of the locks", "", LISTING_TIMEOUT.toNanos())
                .send(
                        () -> locker.backend().list(locker.settings().namespace(), limit),
                        listing -> withPresentHolders(locker, listing, own.get()));
    }

    /** Asks the store for a caller, whose dependent stages may block. */
    private OffloadedFuture<T> send(Supplier<CompletionStage<T>> question, Function<T, T> complement) {
        CompletableFuture<T> answer = answer(question, complement);
        OffloadedFuture<T> delivered =
                OffloadedFuture.of(answer, locker.resources().executors().async());
        // a caller that cancels ends the question in the store, which may take many steps
        delivered.whenComplete((any, failure) -> answer.cancel(true));
        return delivered;
    }

    /**
     * Asks the store once it is connected. Opening the connection may take longer than an answer. The result completes on
     * the thread on which the answer arrives.
     */
    CompletableFuture<T> answer(Supplier<CompletionStage<T>> question, Function<T, T> complement) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (locker.isConnected()) {
            ask(question, complement, answer);
        } else {
            connect(() -> ask(question, complement, answer), answer);
        }
        return answer;
    }

    private void connect(Runnable question, CompletableFuture<T> answer) {
        // a copy, because callers share the attempt to connect
        CompletableFuture<Void> attempt = locker.connect();
        CompletableFuture<Void> connecting = attempt.copy();
        Scheduler.Task timeout = locker.resources()
                .scheduler()
                .schedule(
                        // ends the attempt of all, so that the next caller begins another one
                        () -> attempt.completeExceptionally(
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
        try {
            CompletableFuture<T> sent = question.get().toCompletableFuture();
            answer.whenComplete((any, failure) -> SafeCancellation.cancel(sent));
            Scheduler.Task timeout =
                    locker.resources().scheduler().schedule(() -> SafeCancellation.cancel(sent), timeoutNanos);
            sent.whenComplete((reply, failure) -> {
                timeout.cancel();
                end(reply, failure, complement, answer);
            });
        } catch (Throwable ex) {
            answer.completeExceptionally(failed(ex));
        }
    }

    private void end(
            @Nullable T reply, @Nullable Throwable failure, Function<T, T> complement, CompletableFuture<T> answer) {
        if (reply == null) {
            answer.completeExceptionally(failed(failure));
            return;
        }
        try {
            answer.complete(complement.apply(reply));
        } catch (Throwable ex) {
            answer.completeExceptionally(failed(ex));
        }
    }

    private static LockListing withPresentHolders(LockerState locker, LockListing listing, List<Lease> own) {
        Map<String, List<Lease>> byKey = own.stream()
                .collect(Collectors.groupingBy(lease -> lease.holder().key()));
        return new LockListing(
                listing.locks().stream()
                        .map(lock -> new LockListing.Entry(
                                lock.key(),
                                withPresentHolder(locker, lock.state(), byKey.getOrDefault(lock.key(), List.of()))))
                        .toList(),
                listing.incomplete());
    }

    /** The holder of a lock, complemented by what this process knows if one of its leases is the lock's. */
    private static Held withPresentHolder(LockerState locker, Held held, List<Lease> own) {
        return own.stream()
                .filter(lease -> held.kind() == Kind.HOLDER && lease.isReportedAs(held))
                .findFirst()
                .map(lease -> withPresentHolder(locker, held, lease))
                .orElse(held);
    }

    private static Held withPresentHolder(LockerState locker, Held held, Lease lease) {
        EngineResources resources = locker.resources();
        LeaseHandle holder = lease.holder();
        Duration age = Duration.ofNanos(resources.ticker().nanos() - holder.acquiredAt());
        return new Held(
                held.kind(),
                lease.name(holder),
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
