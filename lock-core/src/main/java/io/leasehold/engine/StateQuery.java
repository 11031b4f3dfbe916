package io.leasehold.engine;

import io.leasehold.LockBackendException;
import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.spi.LockId;
import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * One question to the store about the state of a lock, answered within the command timeout. If this process holds the
 * lock, the answer has the present holder's fencing token and time, which the store does not know after a hand-over.
 */
final class StateQuery {

    private final LocalQueues queues;

    private final LockerState locker;

    private final String key;

    private final LockId id;

    private final long timeoutNanos;

    StateQuery(LocalQueues queues, String key, long timeoutNanos) {
        this.queues = queues;
        this.locker = queues.locker();
        this.key = key;
        this.id = LockId.of(locker.settings().namespace(), key);
        this.timeoutNanos = timeoutNanos;
    }

    CompletableFuture<LockState> send() {
        CompletableFuture<LockState> asked;
        try {
            asked = locker.backend().describe(id).toCompletableFuture();
        } catch (Throwable ex) {
            asked = CompletableFuture.failedFuture(ex);
        }
        if (asked.isDone()) {
            return asked.handle(this::answer);
        }
        EngineResources resources = locker.resources();
        CompletableFuture<LockState> sent = asked;
        Scheduler.Task timeout = resources.scheduler().schedule(() -> sent.cancel(true), timeoutNanos);
        // on the executor, because the caller's dependent stages may block (rules.md R38)
        return sent.whenComplete((state, failure) -> timeout.cancel())
                .handleAsync(this::answer, resources.executors().async());
    }

    private LockState answer(@Nullable LockState state, @Nullable Throwable failure) {
        if (state == null) {
            throw failed(failure);
        }
        return state instanceof Held held && held.kind() == Kind.HOLDER ? withPresentHolder(held) : state;
    }

    private Held withPresentHolder(Held held) {
        EngineResources resources = locker.resources();
        Lease lease = queues.leaseOf(id);
        if (lease == null || !resources.tokens().instance().name().equals(held.holder())) {
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
                "the state of lock '" + key + "' of locker '" + locker.name() + "' is unknown: " + why
                        + locker.storeOrigin(),
                locker.name(),
                key,
                cause);
    }
}
