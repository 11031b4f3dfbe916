package io.leasehold.engine;

import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import io.leasehold.support.SafeCancellation;
import io.leasehold.support.SafeLogging;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes tokens that must not stay in the store (rules.md R7, R9, R32). These are the tokens of unanswered
 * acquisitions, of unanswered releases, of leases that were lost on this side, and of callers that left the store's
 * queue.
 *
 * <ol>
 *   <li>The reaper deletes the token if it still matches. The first attempt is immediate; retries follow with
 *       exponential back-off up to 500 ms until the store answers.
 *   <li>For a lease that existed, one answer is sufficient. The command of an acquisition, in contrast, may be executed
 *       after its removal, because the network delivered it late or the store read it late. That token is therefore
 *       removed repeatedly, after pauses that double. The removal ends when at least two consecutive answers have
 *       arrived and the last one arrived when the ttl had passed since the acquisition was sent, but at least five
 *       seconds after it, and not later than 30 seconds. A late acquisition then keeps the lock for no longer than it
 *       was late.
 *   <li>If the store does not answer, the reaper gives up when the token must have expired. The limit is the ttl plus
 *       five seconds for a lease, and the ttl plus one minute for an acquisition.
 *   <li>The reaper keeps at most {@value #MOST} tokens of a locker that the store has not confirmed as removed, and as
 *       many that it removes again. Further tokens are left to expire.
 * </ol>
 */
final class Reaper {

    private static final Logger log = LoggerFactory.getLogger(Reaper.class);

    private static final int MOST = 10_000;

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long LEAST_DELIVERY = TimeUnit.SECONDS.toNanos(5);

    private static final long LONGEST_DELIVERY = TimeUnit.SECONDS.toNanos(30);

    private static final long LONGEST_STALL = TimeUnit.MINUTES.toNanos(1);

    private final Ticker ticker;

    private final Scheduler scheduler;

    Reaper(Ticker ticker, Scheduler scheduler) {
        this.ticker = ticker;
        this.scheduler = scheduler;
    }

    void remove(Removal removal) {
        if (removal.backlog().pending.incrementAndGet() > MOST) {
            removal.backlog().pending.decrementAndGet();
            SafeLogging.log(
                    () -> log.warn("More than {} tokens wait for removal; {} is left to expire", MOST, removal.id()));
            return;
        }
        try {
            scheduler.schedule(() -> ask(removal, FIRST_PAUSE, 0), 0);
        } catch (Throwable ex) {
            giveUp(removal, ex);
        }
    }

    /** No thread could be started, or no memory is left. A removal that stays counted would delay each shutdown. */
    private static void giveUp(Removal removal, Throwable reason) {
        removal.markConfirmed();
        removal.backlog().mayReturn.remove(removal);
        SafeLogging.log(() ->
                log.warn("{} may stay until it expires, because its removal could not be timed", removal.id(), reason));
    }

    /**
     * Removes each token once more whose acquisition may have been executed since its last removal. A shutdown waits for
     * the answers, since the engine may be closed before the next removal.
     */
    void removeAgain(Backlog backlog) {
        for (Removal removal : backlog.mayReturn) {
            removal.markUnconfirmed();
            send(removal).whenComplete((answer, failure) -> removal.markConfirmed());
        }
    }

    private void ask(Removal removal, long pause, int confirmations) {
        send(removal)
                .whenComplete((answer, failure) ->
                        answered(removal, answer != null && failure == null, pause, confirmations));
    }

    private CompletableFuture<ReleaseAnswer> send(Removal removal) {
        CompletableFuture<ReleaseAnswer> asked;
        try {
            asked = removal.backlog()
                    .backend
                    .release(removal.command(ticker.nanos()))
                    .toCompletableFuture();
        } catch (Throwable ex) {
            asked = CompletableFuture.failedFuture(ex);
        }
        CompletableFuture<ReleaseAnswer> sent = asked;
        try {
            Scheduler.Task timeout = scheduler.schedule(
                    () -> SafeCancellation.cancel(sent), removal.terms().commandTimeout());
            return sent.whenComplete((answer, failure) -> timeout.cancel());
        } catch (Throwable ex) {
            // an answer without a limit may never arrive
            SafeCancellation.cancel(sent);
            return sent;
        }
    }

    private void answered(Removal removal, boolean confirmed, long pause, int confirmations) {
        try {
            endOrAskAgain(removal, confirmed, pause, confirmations);
        } catch (Throwable ex) {
            giveUp(removal, ex);
        }
    }

    private void endOrAskAgain(Removal removal, boolean confirmed, long pause, int confirmations) {
        int inARow = confirmed ? confirmations + 1 : 0;
        if (isDone(removal, inARow)) {
            removal.markConfirmed();
            removal.backlog().mayReturn.remove(removal);
            return;
        }
        // the first removal of an acquisition may have overtaken it, so a shutdown waits for the second one
        if (inARow == 2) {
            removal.markConfirmed();
            removal.backlog().mayReturn.add(removal);
        }
        long next = confirmed ? pause * 2 : Math.min(pause * 2, LONGEST_PAUSE);
        long untilDelivered = removal.delivery() - (ticker.nanos() - removal.sentAt());
        scheduler.schedule(
                () -> ask(removal, next, inARow), untilDelivered > 0 ? Math.min(pause, untilDelivered) : pause);
    }

    private boolean isDone(Removal removal, int confirmations) {
        long age = ticker.nanos() - removal.sentAt();
        long ttl = removal.terms().ttlNanos();
        if (removal.mayArriveLate()) {
            boolean noPlace = removal.backlog().mayReturn.size() >= MOST;
            return confirmations > 1 && (age >= removal.delivery() || noPlace)
                    || confirmations == 0 && age >= ttl + LONGEST_STALL;
        }
        return confirmations > 0 || age >= ttl + LEAST_DELIVERY;
    }

    /** The tokens of one locker that are being removed from its store. */
    static final class Backlog {

        private final LockBackend backend;

        private final AtomicInteger pending = new AtomicInteger();

        /** The confirmed removals whose acquisition may still be executed. */
        private final Set<Removal> mayReturn = ConcurrentHashMap.newKeySet();

        Backlog(LockBackend backend) {
            this.backend = backend;
        }

        /**
         * The number of tokens whose removal the store has not confirmed yet; twice, if the acquisition may arrive late.
         */
        int pending() {
            return pending.get();
        }
    }

    /**
     * A token that may be in the store and must not stay there.
     *
     * @param sentAt when the command that may have stored the token was sent
     * @param mayArriveLate whether that command may be executed after the removal
     * @param keepUntil until when the lock must stay taken
     * @param confirmed whether the store has confirmed the removal
     */
    record Removal(
            Backlog backlog,
            LockId id,
            Token token,
            LeaseTerms terms,
            long sentAt,
            boolean mayArriveLate,
            long keepUntil,
            AtomicBoolean confirmed) {

        /** The token of an acquisition that the store did not answer. */
        static Removal ofAttempt(Backlog backlog, LockId id, Token token, LeaseTerms terms, long sentAt) {
            return new Removal(backlog, id, token, terms, sentAt, true, sentAt, new AtomicBoolean());
        }

        /** The token of a caller that has left the store's queue, with no command in progress. */
        static Removal ofQueued(Backlog backlog, LockId id, Token token, LeaseTerms terms, long now) {
            return new Removal(backlog, id, token, terms, now, false, now, new AtomicBoolean());
        }

        /** The token of a lease that existed. The lock must stay taken until the given time. */
        static Removal ofLease(Backlog backlog, LockId id, Token token, LeaseTerms terms, long sentAt, long keepUntil) {
            return new Removal(backlog, id, token, terms, sentAt, false, keepUntil, new AtomicBoolean());
        }

        /** How long after it was sent the command may be executed, as far as the reaper provides for it. */
        long delivery() {
            return mayArriveLate ? Math.max(LEAST_DELIVERY, Math.min(terms.ttlNanos(), LONGEST_DELIVERY)) : 0;
        }

        /** Creates the release command. A retry retains the lock until the same time as the first attempt (R35). */
        ReleaseCommand command(long now) {
            long keep = keepUntil - now;
            return new ReleaseCommand(id, token, keep > 0 ? Duration.ofNanos(keep) : Duration.ZERO);
        }

        /** Records the store's first answer. The remaining attempts only guard against a late acquisition. */
        void markConfirmed() {
            if (confirmed.compareAndSet(false, true)) {
                backlog.pending.decrementAndGet();
            }
        }

        /** Records that a further answer is awaited. */
        void markUnconfirmed() {
            if (confirmed.compareAndSet(true, false)) {
                backlog.pending.incrementAndGet();
            }
        }
    }
}
