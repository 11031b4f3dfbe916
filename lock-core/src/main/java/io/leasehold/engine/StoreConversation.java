package io.leasehold.engine;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What one acquisition asks of the store, and what it makes of the answers.
 *
 * <ol>
 *   <li>It asks with a fresh token. Validity counts from before the command is sent; a grant that arrives when that time
 *       is over is none (RELIABILITY R1).
 *   <li>If the lock is busy, it waits for its turn or for the clock, whichever comes first, and asks again.
 *   <li>If the store does not answer, the token goes to the {@link Reaper} (R7); while wait time is left, it asks again
 *       with another token.
 * </ol>
 */
final class StoreConversation {

    private final Acquisition acquisition;

    private final long deadline;

    private @Nullable Ask ask;

    private @Nullable Pause pause;

    private @Nullable Token tokenInStoreLine;

    private int failures;

    StoreConversation(Acquisition acquisition, long deadline) {
        this.acquisition = acquisition;
        this.deadline = deadline;
    }

    boolean awaitsAnswer() {
        return ask != null;
    }

    /** What ends when it is worth going on, if it is not the clock. */
    @Nullable
    CompletableFuture<?> awaited() {
        if (ask != null) {
            return ask.reply();
        }
        return pause == null ? null : pause.turn();
    }

    /** Whether there is nothing to do before {@link #waitUntil()} but to wait. */
    boolean hasToWait(long now) {
        if (ask != null) {
            return !ask.reply().isDone() && now - waitUntil() < 0;
        }
        return pause != null && !pause.isOver(now);
    }

    long waitUntil() {
        if (ask != null) {
            return ask.sentAt() + acquisition.terms().commandTimeout();
        }
        return pause == null ? deadline : pause.until();
    }

    /** Takes the answer that has come, or gives up on it; or asks if no question is open. */
    void goOn(long now) {
        Ask taken = ask;
        if (taken == null) {
            giveUpPause();
            ask = Ask.send(acquisition, token(), now - deadline < 0, acquisition.patience());
            return;
        }
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
            askAgainOrFail(taken, failure);
        }
    }

    /** Leaves nothing behind in the store, whatever was asked of it. */
    void leave() {
        giveUpPause();
        Ask open = ask;
        ask = null;
        if (open != null) {
            open.reply().cancel(true);
            reap(open);
        } else {
            leaveStoreLine();
        }
    }

    private void leaveStoreLine() {
        if (tokenInStoreLine != null) {
            LeaseLocker locker = acquisition.locker();
            locker.parts()
                    .reaper()
                    .remove(Removal.ofPlaceInLine(
                            locker, acquisition.id(), tokenInStoreLine, acquisition.terms(), acquisition.now()));
        }
    }

    private Token token() {
        return tokenInStoreLine == null ? acquisition.locker().parts().tokens().next() : tokenInStoreLine;
    }

    private void hold(Ask taken, Granted grant) {
        tokenInStoreLine = null;
        Duration ttl = acquisition.terms().ttl();
        Duration validity = grant.validity();
        Proof proof = Proof.of(
                taken.sentAt(), taken.wallMillis(), validity == null || validity.compareTo(ttl) > 0 ? ttl : validity);
        if (acquisition.now() - proof.validUntil() >= 0) {
            askAgainOrFail(taken, new BackendFailure(Effect.UNKNOWN, "granted, but too late to be valid", null));
        } else {
            acquisition.granted(taken.token(), grant.firstFence(), proof);
        }
    }

    private void waitOrGiveUp(Ask taken, Busy busy) {
        long now = acquisition.now();
        tokenInStoreLine = busy.inLine() ? taken.token() : null;
        pause = Pause.afterBusy(busy, now, deadline);
        if (now - deadline >= 0) {
            acquisition.timedOut();
        }
    }

    private void askAgainOrFail(Ask taken, BackendFailure failure) {
        if (failure.effect() == Effect.UNKNOWN) {
            reap(taken);
        } else {
            leaveStoreLine();
        }
        tokenInStoreLine = null;
        long now = acquisition.now();
        if (failure.effect() == Effect.REFUSED || now - deadline >= 0) {
            acquisition.failed(failure);
        } else {
            pause = Pause.afterFailure(failures++, now, deadline);
        }
    }

    private void reap(Ask unanswered) {
        LeaseLocker locker = acquisition.locker();
        locker.parts()
                .reaper()
                .remove(Removal.ofAttempt(
                        locker, acquisition.id(), unanswered.token(), acquisition.terms(), unanswered.sentAt()));
    }

    private void giveUpPause() {
        if (pause != null) {
            pause.giveUp();
            pause = null;
        }
    }
}
