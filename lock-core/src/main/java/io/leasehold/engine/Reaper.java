package io.leasehold.engine;

import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes from the store what must not stay there (RELIABILITY R7, R9, R32): the token of an acquisition without an
 * answer, of a lease that was lost on this side, of a release without an answer.
 *
 * <ol>
 *   <li>It compares and deletes the token: immediately, then with exponential back-off up to 500 ms, until the store
 *       answers.
 *   <li>One answer is enough for a lease that had been there. The command of an acquisition may be executed after its
 *       removal: the store read it late, or a network delivered it late. So that token is removed again, after pauses that
 *       double, until two answers in a row have come and the second one five seconds after the acquisition was sent. A late
 *       acquisition then keeps the lock for no longer than it was late.
 *   <li>It gives up on a store that does not answer when the token must have expired: a lease's after its ttl, an
 *       acquisition's a minute later.
 *   <li>It keeps at most {@value #MOST} tokens. More are left to expire.
 * </ol>
 */
final class Reaper {

    private static final Logger log = LoggerFactory.getLogger(Reaper.class);

    private static final int MOST = 10_000;

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long LONGEST_DELIVERY = TimeUnit.SECONDS.toNanos(5);

    private static final long LONGEST_STALL = TimeUnit.MINUTES.toNanos(1);

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
            log.warn("More than {} tokens wait for removal; {} is left to expire", MOST, removal.id());
            return;
        }
        removal.locker().pendingRemovals().incrementAndGet();
        removal.locker().unconfirmedRemovals().incrementAndGet();
        scheduler.schedule(() -> ask(removal, FIRST_PAUSE, 0), 0);
    }

    private void ask(Removal removal, long pause, int confirmations) {
        CompletableFuture<ReleaseAnswer> asked;
        try {
            asked = removal.locker()
                    .backend()
                    .release(removal.command(ticker.nanos()))
                    .toCompletableFuture();
        } catch (Throwable ex) {
            asked = CompletableFuture.failedFuture(ex);
        }
        CompletableFuture<ReleaseAnswer> sent = asked;
        Scheduler.Task timeout =
                scheduler.schedule(() -> sent.cancel(true), removal.terms().commandTimeout());
        sent.whenComplete((answer, failure) -> {
            timeout.cancel();
            answered(removal, answer != null && failure == null, pause, confirmations);
        });
    }

    private void answered(Removal removal, boolean confirmed, long pause, int confirmations) {
        int inARow = confirmed ? confirmations + 1 : 0;
        if (inARow == 1) {
            removal.markConfirmed();
        }
        if (isDone(removal, inARow)) {
            removal.markConfirmed();
            pending.decrementAndGet();
            removal.locker().pendingRemovals().decrementAndGet();
        } else {
            long next = confirmed ? pause * 2 : Math.min(pause * 2, LONGEST_PAUSE);
            scheduler.schedule(() -> ask(removal, next, inARow), pause);
        }
    }

    private boolean isDone(Removal removal, int confirmations) {
        long age = ticker.nanos() - removal.sentAt();
        if (removal.mayArriveLate()) {
            return confirmations > 1 && age >= LONGEST_DELIVERY
                    || confirmations == 0 && age >= removal.terms().ttlNanos() + LONGEST_STALL;
        }
        return confirmations > 0 || age >= removal.terms().ttlNanos() + LONGEST_DELIVERY;
    }

    /** A token that may be in the store and must not stay there. */
    static final class Removal {

        private final LeaseLocker locker;

        private final LockId id;

        private final Token token;

        private final LeaseTerms terms;

        private final long sentAt;

        private final boolean mayArriveLate;

        private final long keepUntil;

        private boolean confirmed;

        private Removal(
                LeaseLocker locker,
                LockId id,
                Token token,
                LeaseTerms terms,
                long sentAt,
                boolean mayArriveLate,
                long keepUntil) {
            this.locker = locker;
            this.id = id;
            this.token = token;
            this.terms = terms;
            this.sentAt = sentAt;
            this.mayArriveLate = mayArriveLate;
            this.keepUntil = keepUntil;
        }

        /** What an acquisition may have left that the store did not answer. */
        static Removal ofAttempt(LeaseLocker locker, LockId id, Token token, LeaseTerms terms, long sentAt) {
            return new Removal(locker, id, token, terms, sentAt, true, sentAt);
        }

        /** A place in the store's queue that its caller has given up, with no command under way. */
        static Removal ofQueued(LeaseLocker locker, LockId id, Token token, LeaseTerms terms, long now) {
            return new Removal(locker, id, token, terms, now, false, now);
        }

        /** A lease that was there, and how long it has to stay taken. */
        static Removal ofLease(Lease lease, long now, Duration retainFor) {
            return new Removal(
                    lease.locker(),
                    lease.id(),
                    lease.token(),
                    lease.terms(),
                    lease.validity().sentAt(),
                    false,
                    now + retainFor.toNanos());
        }

        LeaseLocker locker() {
            return locker;
        }

        LockId id() {
            return id;
        }

        LeaseTerms terms() {
            return terms;
        }

        /** When the command that may have put the token there was sent. */
        long sentAt() {
            return sentAt;
        }

        /** Whether the command that puts the token there may be executed after its removal. */
        boolean mayArriveLate() {
            return mayArriveLate;
        }

        /** A repetition keeps the lock until the same moment (R35). */
        ReleaseCommand command(long now) {
            long keep = keepUntil - now;
            return new ReleaseCommand(id, token, keep > 0 ? Duration.ofNanos(keep) : Duration.ZERO);
        }

        /** The store has answered once: what is left is to wait for a late arrival. */
        void markConfirmed() {
            if (!confirmed) {
                confirmed = true;
                locker.unconfirmedRemovals().decrementAndGet();
            }
        }
    }
}
