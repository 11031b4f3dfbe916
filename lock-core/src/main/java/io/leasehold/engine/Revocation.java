package io.leasehold.engine;

import io.leasehold.ForcedRelease;
import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.LossReason;
import io.leasehold.spi.LockId;
import io.leasehold.support.OffloadedFuture;
import io.leasehold.support.SafeLogging;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One forced release of a lock. The store names a lease by the greatest fencing token that its grant reserved. A
 * hand-over inside a process changes the holder's token, and neither the lease nor that name. The token of a holder in
 * this process is therefore converted to the name of its lease.
 */
final class Revocation {

    private static final Logger log = LoggerFactory.getLogger(Revocation.class);

    private final LockerState locker;

    private final Supplier<List<LocalQueue>> queues;

    private final LockId id;

    private final String key;

    private final long fencingToken;

    private final String requestedBy;

    private final long timeoutNanos;

    /**
     * Creates a forced release.
     *
     * @param queues returns the queues of the lock in this process
     */
    Revocation(
            LockerState locker,
            Supplier<List<LocalQueue>> queues,
            String key,
            long fencingToken,
            String requestedBy,
            long timeoutNanos) {
        this.locker = locker;
        this.queues = queues;
        this.timeoutNanos = timeoutNanos;
        this.id = LockId.of(locker.settings().namespace(), key);
        this.key = key;
        this.fencingToken = fencingToken;
        this.requestedBy = LockState.printable(requestedBy);
    }

    CompletableFuture<ForcedRelease> send() {
        CompletableFuture<ForcedRelease> released = new StoreQuery<LockState>(
                        locker, "nothing was changed: the state of lock '" + key + "'", key, timeoutNanos)
                .answer(() -> locker.backend().describe(id), Function.identity())
                .thenCompose(this::revoke)
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        // the stages of a future wrap the failure in a CompletionException
                        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                        log(String.valueOf(cause.getMessage()));
                    }
                });
        // the result, and not the steps before: a caller may wait for it on each thread of the executor
        return OffloadedFuture.of(released, locker.resources().executors().async());
    }

    private CompletionStage<ForcedRelease> revoke(LockState state) {
        List<LocalQueue> present = queues.get();
        // before the holder is read: a hand-over would let another holder lose the lease
        present.forEach(LocalQueue::revocationStarted);
        Lease own = leaseNamedHere(present, state);
        long name = nameOf(state, own);
        return new StoreQuery<Outcome>(
                        locker, "whether the holder can still renew lock '" + key + "'", key, timeoutNanos)
                .answer(() -> locker.backend().revoke(id, name), Function.identity())
                .thenApply(outcome -> end(outcome, state, own))
                .whenComplete((released, failure) -> present.forEach(queue -> queue.revocationEnded(failure == null)));
    }

    /**
     * The name of the lease in the store, zero if the store has lost it. A revoked lease has no holder any more, so that
     * each token of its grant repeats its end.
     */
    private long nameOf(LockState state, @Nullable Lease own) {
        if (!(state instanceof Held held)) {
            return fencingToken;
        }
        long name = held.fencingToken().orElse(0);
        boolean ofItsGrant = name == 0 || fencingToken <= name && name - fencingToken < Lease.MOST_TOKENS;
        return own != null || held.kind() == Kind.REVOKED && ofItsGrant ? name : fencingToken;
    }

    /** The lease of this process, if the fencing token is that of its present holder or its name in the store. */
    private @Nullable Lease leaseNamedHere(List<LocalQueue> present, LockState state) {
        return state instanceof Held held
                ? present.stream()
                        .map(LocalQueue::heldLease)
                        .filter(lease -> lease != null && lease.isReportedAs(held) && isNamed(lease, held))
                        .findFirst()
                        .orElse(null)
                : null;
    }

    private boolean isNamed(Lease lease, Held held) {
        return lease.holder().fencingToken() == fencingToken
                || held.fencingToken().orElse(0) == fencingToken;
    }

    private ForcedRelease end(Outcome outcome, LockState state, @Nullable Lease own) {
        ForcedRelease result = new ForcedRelease(
                locker.name(),
                key,
                fencingToken,
                outcome,
                state instanceof Held held ? held.holder() : null,
                requestedBy);
        log(outcome.explanation() + ". The lock was " + state);
        locker.resources().listener().forceReleased(result);
        if (outcome == Outcome.REVOKED && own != null) {
            own.lose(LossReason.REVOKED);
        }
        return result;
    }

    /** Logs the requester and the outcome of the forced release, also an unknown outcome. */
    private void log(String outcome) {
        SafeLogging.log(() -> log.warn(
                "Forced release of lock '{}' of locker '{}' (fencing token {}), asked for by {} in {}: {}",
                LockState.printable(key),
                locker.name(),
                fencingToken,
                requestedBy,
                locker.resources().tokens().instance().name(),
                outcome));
    }
}
