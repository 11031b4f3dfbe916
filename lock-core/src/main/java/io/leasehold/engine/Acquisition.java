package io.leasehold.engine;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener.AcquireOutcome;
import io.leasehold.LockRequest;
import io.leasehold.LossReason;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
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
 * One caller's attempt to get a lock, from joining the line to the answer.
 *
 * <ol>
 *   <li>The caller joins the line of this process. Behind its front it waits; it may be handed the lock there.
 *   <li>In front, it asks the store with a fresh token. Validity counts from before the command is sent; a grant that
 *       arrives when that time is over is none (RELIABILITY R1).
 *   <li>If the lock is busy, it waits for its turn or for the clock, whichever comes first, and asks again.
 *   <li>If the store does not answer, the token goes to the {@link Reaper} (R7); while wait time is left, it asks again
 *       with another token.
 * </ol>
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

    private final LockId id;

    private final long startedAt;

    private final long deadline;

    private final PlaceInLine place;

    private @Nullable Ask ask;

    private @Nullable Pause pause;

    private @Nullable Token tokenInStoreLine;

    private int failures;

    private boolean waiting;

    private @Nullable Outcome outcome;

    Acquisition(LeaseLocker locker, LockRequest request, Terms terms, Runnable driver) {
        this.locker = locker;
        this.request = request;
        this.terms = terms;
        this.id = LockId.of(locker.settings().namespace(), request.key());
        Duration asked = request.waitTime();
        Duration waitTime = asked == null ? locker.settings().waitTime() : asked;
        this.startedAt = locker.parts().ticker().nanos();
        this.deadline = startedAt + (waitTime.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : waitTime).toNanos();
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

    /** Goes as far as it can without waiting; answers until when to wait, which means nothing once {@link #isDone}. */
    long step() {
        while (outcome == null) {
            long now = locker.parts().ticker().nanos();
            long waitUntil;
            if (locker.stopped() && ask == null) {
                abandonForShutdown();
                continue;
            } else if (ask != null) {
                waitUntil = ask.sentAt() + terms.commandTimeout();
                if (ask.reply().isDone() || now - waitUntil >= 0) {
                    take(ask);
                    continue;
                }
            } else if (pause != null) {
                waitUntil = pause.until();
                if (pause.isOver(now)) {
                    ask(now);
                    continue;
                }
            } else if (place.isInFront()) {
                ask(now);
                continue;
            } else {
                waitUntil = deadline;
                if (place.handed() != null) {
                    end(AcquireOutcome.ACQUIRED, place.handed(), null);
                    continue;
                }
                if (now - deadline >= 0 && place.leave()) {
                    end(AcquireOutcome.TIMEOUT, null, null);
                    continue;
                }
            }
            countAsWaiting();
            return waitUntil;
        }
        return deadline;
    }

    boolean isDone() {
        return outcome != null;
    }

    /** What ends when the next step is worth taking, if it is not the clock or a signal. */
    @Nullable
    CompletableFuture<?> awaited() {
        if (ask != null) {
            return ask.reply();
        }
        return pause == null ? null : pause.turn();
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
        if (outcome != null) {
            if (outcome.granted() != null) {
                outcome.granted().releaseAsync();
            }
            return;
        }
        leaveEverything();
        end(AcquireOutcome.INTERRUPTED, null, null);
    }

    private void ask(long now) {
        giveUpPause();
        Token token = tokenInStoreLine == null ? locker.parts().tokens().next() : tokenInStoreLine;
        ask = Ask.send(this, token, now - deadline < 0);
    }

    private void take(Ask taken) {
        ask = null;
        try {
            AcquireAnswer answer = taken.take();
            failures = 0;
            if (answer instanceof Granted granted) {
                hold(taken, granted);
            } else if (answer instanceof Busy busy) {
                waitOrGiveUp(taken, busy);
            }
        } catch (BackendFailure failure) {
            tryAgainOrFail(taken, failure);
        }
    }

    private void hold(Ask taken, Granted grant) {
        tokenInStoreLine = null;
        Duration validity = grant.validity();
        Duration ttl = validity == null || validity.compareTo(terms.ttl()) > 0 ? terms.ttl() : validity;
        Proof proof = Proof.of(taken.sentAt(), taken.wallMillis(), ttl);
        long now = locker.parts().ticker().nanos();
        if (now - proof.validUntil() >= 0) {
            tryAgainOrFail(taken, new BackendFailure(Effect.UNKNOWN, "granted, but too late to be valid", null));
            return;
        }
        Lease lease = new Lease(place.line(), taken.token(), terms, key(), grant.firstFence(), proof);
        place.line().hold(lease);
        locker.parts().watchdog().watch(lease, now);
        end(AcquireOutcome.ACQUIRED, lease.holder(), null);
        if (locker.stopped()) {
            lease.lose(LossReason.SHUTDOWN);
        }
    }

    private void waitOrGiveUp(Ask taken, Busy busy) {
        long now = locker.parts().ticker().nanos();
        tokenInStoreLine = busy.inLine() ? taken.token() : null;
        pause = Pause.afterBusy(busy, now, deadline);
        if (now - deadline >= 0) {
            leaveEverything();
            end(AcquireOutcome.TIMEOUT, null, null);
        }
    }

    private void tryAgainOrFail(Ask taken, BackendFailure failure) {
        tokenInStoreLine = null;
        if (failure.effect() == Effect.UNKNOWN) {
            reap(Removal.ofAttempt(locker, id, taken.token(), terms, taken.sentAt()));
        }
        long now = locker.parts().ticker().nanos();
        if (failure.effect() == Effect.REFUSED || now - deadline >= 0) {
            leaveEverything();
            fail(failure);
            return;
        }
        pause = Pause.afterFailure(failures++, now, deadline);
    }

    private void abandonForShutdown() {
        leaveEverything();
        fail(new BackendFailure(Effect.NOT_DONE, "the locker is being shut down", null));
    }

    private void fail(BackendFailure failure) {
        end(
                AcquireOutcome.ERROR,
                null,
                new LockBackendException(
                        "lock '" + key() + "' of locker '" + locker.name() + "' was not acquired: "
                                + failure.getMessage(),
                        locker.name(),
                        key(),
                        failure));
    }

    /** Gives up the place in every line, and what may be in the store. */
    private void leaveEverything() {
        giveUpPause();
        Ask open = ask;
        ask = null;
        if (open != null) {
            open.reply().cancel(true);
            reap(Removal.ofAttempt(locker, id, open.token(), terms, open.sentAt()));
        } else if (tokenInStoreLine != null) {
            long now = locker.parts().ticker().nanos();
            reap(Removal.ofPlaceInLine(locker, id, tokenInStoreLine, terms, now));
        }
        place.giveUp();
    }

    private void reap(Removal removal) {
        locker.parts().reaper().remove(removal);
    }

    private void giveUpPause() {
        if (pause != null) {
            pause.giveUp();
            pause = null;
        }
    }

    private void countAsWaiting() {
        if (!waiting && ask == null) {
            waiting = true;
            locker.waiting().incrementAndGet();
        }
    }

    private void end(AcquireOutcome how, @Nullable HeldLock granted, @Nullable LockBackendException failure) {
        outcome = new Outcome(granted, failure);
        if (waiting) {
            locker.waiting().decrementAndGet();
        }
        Duration waited = Duration.ofNanos(locker.parts().ticker().nanos() - startedAt);
        locker.parts().listener().acquireEnded(locker.name(), key(), how, waited);
    }

    private record Outcome(
            @Nullable HeldLock granted, @Nullable LockBackendException failure) {}
}
