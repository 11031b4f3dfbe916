package io.leasehold.engine;

import io.leasehold.spi.ReleaseAnswer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes from the store what must not stay there (RELIABILITY R7, R9): the token of an acquisition that was not
 * answered, of a lease that was lost on this side, of a release that was not confirmed.
 *
 * <ol>
 *   <li>It compares and deletes the token, at once and then ever more slowly, up to twice a second.
 *   <li>It is done when the store says that it removed the token. That the token is not there is good enough for a lease
 *       that had been there; for an acquisition only when its command can no longer be under way, and only the second
 *       time: after an outage, the first question may overtake the command.
 *   <li>It gives up when the token must have expired by itself.
 *   <li>It keeps at most {@value #MOST} tokens; more are left to expire.
 * </ol>
 */
final class Reaper {

    private static final Logger log = LoggerFactory.getLogger(Reaper.class);

    private static final int MOST = 10_000;

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long LONGEST_ON_THE_WAY = TimeUnit.SECONDS.toNanos(5);

    private final Ticker ticker;

    private final Scheduler scheduler;

    private final AtomicInteger pending = new AtomicInteger();

    Reaper(Ticker ticker, Scheduler scheduler) {
        this.ticker = ticker;
        this.scheduler = scheduler;
    }

    void remove(Removal removal) {
        if (pending.incrementAndGet() > MOST) {
            pending.decrementAndGet();
            log.warn("Too many tokens wait for removal; {} is left to expire", removal.id());
            return;
        }
        removal.locker().pendingRemovals().incrementAndGet();
        scheduler.schedule(() -> ask(removal, FIRST_PAUSE, 0), 0);
    }

    private void ask(Removal removal, long pause, int absences) {
        CompletableFuture<ReleaseAnswer> asked;
        try {
            asked = removal.locker().backend().release(removal.command()).toCompletableFuture();
        } catch (Throwable ex) {
            asked = CompletableFuture.failedFuture(ex);
        }
        CompletableFuture<ReleaseAnswer> sent = asked;
        Scheduler.Task timeout =
                scheduler.schedule(() -> sent.cancel(true), removal.terms().commandTimeout());
        sent.whenComplete((answer, failure) -> {
            timeout.cancel();
            int absent = answer == ReleaseAnswer.NOT_OWNER ? absences + 1 : absences;
            if (isDone(removal, failure == null ? answer : null, absent)) {
                pending.decrementAndGet();
                removal.locker().pendingRemovals().decrementAndGet();
            } else {
                scheduler.schedule(() -> ask(removal, Math.min(pause * 2, LONGEST_PAUSE), absent), pause);
            }
        });
    }

    private boolean isDone(Removal removal, @Nullable ReleaseAnswer answer, int absences) {
        long age = ticker.nanos() - removal.sentAt();
        if (answer == ReleaseAnswer.RELEASED) {
            return true;
        }
        if (answer == ReleaseAnswer.NOT_OWNER) {
            return !removal.mayArriveLate() || absences > 1 && age >= LONGEST_ON_THE_WAY;
        }
        return age >= removal.terms().ttlNanos() + LONGEST_ON_THE_WAY;
    }
}
