package io.leasehold.engine;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener.AcquireOutcome;
import io.leasehold.LockRequest;
import io.leasehold.LossReason;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One caller's attempt to get a lock, from joining the line of this process to the answer. Behind the front of the line
 * it waits, and may be handed the lock there; in front, it talks to the store, see {@link StoreConversation}.
 *
 * <p>It does not wait itself: {@link #step} says until when to wait, and its driver calls again when that time is over,
 * when {@link #awaited} ends, or when it is signalled. One driver blocks a thread, another needs none; a driver never
 * calls from two threads at once.
 */
final class Acquisition {

    private static final Duration LONGEST_WAIT = Duration.ofDays(3650);

    private final LeaseLocker locker;

    private final LockRequest request;

    private final Terms terms;

    private final Duration patience;

    private final LockId id;

    private final long startedAt;

    private final long deadline;

    private final PlaceInLine place;

    private final StoreConversation store;

    private boolean waiting;

    private @Nullable Outcome outcome;

    /** As it begins; {@code patience} says for how long the store may hold the threads that take steps. */
    Acquisition(LeaseLocker locker, LockRequest request, Terms terms, Duration patience, Runnable driver) {
        this.locker = locker;
        this.request = request;
        this.terms = terms;
        this.patience = patience;
        this.id = LockId.of(locker.settings().namespace(), request.key());
        Duration asked = request.waitTime();
        Duration waitTime = asked == null ? locker.settings().waitTime() : asked;
        this.startedAt = now();
        this.deadline = startedAt + (waitTime.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : waitTime).toNanos();
        this.store = new StoreConversation(this, deadline);
        locker.parts().listener().acquireStarted(locker.name(), key());
        this.place = new PlaceInLine(this, driver);
        if (!place.join(deadline != startedAt)) {
            end(AcquireOutcome.TIMEOUT, null, null);
        }
    }

    LeaseLocker locker() {
        return locker;
    }

    String key() {
        return request.key();
    }

    LockId id() {
        return id;
    }

    Terms terms() {
        return terms;
    }

    Duration patience() {
        return patience;
    }

    long now() {
        return locker.parts().ticker().nanos();
    }

    /** Goes as far as it can without waiting; answers until when to wait, which means nothing once {@link #isDone}. */
    long step() {
        while (outcome == null) {
            long now = now();
            if (locker.stopped() && !store.awaitsAnswer()) {
                failed(new BackendFailure(Effect.NOT_DONE, "the locker is being shut down", null));
            } else if (place.isInFront()) {
                if (store.hasToWait(now)) {
                    countAsWaiting();
                    return store.waitUntil();
                }
                store.goOn(now);
            } else if (place.handed() != null) {
                end(AcquireOutcome.ACQUIRED, place.handed(), null);
            } else if (now - deadline >= 0 && place.leave()) {
                end(AcquireOutcome.TIMEOUT, null, null);
            } else if (now - deadline < 0) {
                countAsWaiting();
                return deadline;
            }
        }
        return deadline;
    }

    boolean isDone() {
        return outcome != null;
    }

    /** What ends when the next step is worth taking, if it is not the clock or a signal. */
    @Nullable
    CompletableFuture<?> awaited() {
        return store.awaited();
    }

    /** What came of it. */
    Optional<LockHandle> result() {
        Outcome reached = Objects.requireNonNull(outcome);
        if (reached.failure() != null) {
            throw reached.failure();
        }
        return Optional.ofNullable(reached.granted());
    }

    /** The caller does not want the lock any more: leaves nothing behind, wherever it was. */
    void abandon() {
        if (outcome == null) {
            leaveEverything();
            end(AcquireOutcome.INTERRUPTED, null, null);
        } else if (outcome.granted() != null) {
            outcome.granted().releaseAsync();
        }
    }

    /** The store has granted the lock. */
    void granted(Token token, long firstFence, Proof proof) {
        Lease lease = new Lease(place.line(), token, terms, key(), firstFence, proof);
        place.line().hold(lease);
        locker.parts().watchdog().watch(lease);
        end(AcquireOutcome.ACQUIRED, lease.holder(), null);
        if (locker.stopped()) {
            lease.lose(LossReason.SHUTDOWN);
        }
    }

    /** Others held the lock for the whole wait time. */
    void timedOut() {
        leaveEverything();
        end(AcquireOutcome.TIMEOUT, null, null);
    }

    /** The store cannot be asked, or not any more. */
    void failed(BackendFailure failure) {
        leaveEverything();
        String message =
                "lock '" + key() + "' of locker '" + locker.name() + "' was not acquired: " + failure.getMessage();
        end(AcquireOutcome.ERROR, null, new LockBackendException(message, locker.name(), key(), failure));
    }

    private void leaveEverything() {
        store.leave();
        place.giveUp();
    }

    private void countAsWaiting() {
        if (!waiting && !store.awaitsAnswer()) {
            waiting = true;
            locker.waiting().incrementAndGet();
        }
    }

    private void end(AcquireOutcome how, @Nullable HeldLock granted, @Nullable LockBackendException failure) {
        outcome = new Outcome(granted, failure);
        if (waiting) {
            locker.waiting().decrementAndGet();
        }
        Duration waited = Duration.ofNanos(now() - startedAt);
        locker.parts().listener().acquireEnded(locker.name(), key(), how, waited);
    }

    private record Outcome(
            @Nullable HeldLock granted, @Nullable LockBackendException failure) {}
}
