package io.leasehold.engine;

import io.leasehold.LockBackendException;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockListener.RenewOutcome;
import io.leasehold.LossReason;
import io.leasehold.spi.LockId;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A lease as its renewal sees it (RELIABILITY R5, R10): how long it is known to run, and when to ask again. Not an object
 * of its own beside the {@link Lease}, because ten thousand locks may be held.
 *
 * <ol>
 *   <li>It is due when a third of the ttl has passed since the store was asked and confirmed. When another one is due, it
 *       goes along up to a tenth of the ttl too early, and from then on they stay together.
 *   <li>An answer that does not come is asked for again after a twelfth of the ttl at most, sooner as the end comes
 *       nearer, with jitter.
 *   <li>When two thirds of the ttl have passed without a confirmation, the lease is at risk; when its validity ends,
 *       lost.
 *   <li>If the store says that the lease is not ours, it is lost at once, whatever the clock says.
 *   <li>No renewal goes beyond the holder's maximum hold time; at its end the lease is lost.
 * </ol>
 */
abstract class RenewableLease {

    static final long NEVER = Long.MAX_VALUE;

    private static final long LEAST_RETRY = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long LONGEST_PACE = TimeUnit.SECONDS.toNanos(1);

    private static final long LEAST_SUSPENSION = TimeUnit.SECONDS.toNanos(1);

    private final Terms terms;

    private volatile Proof proof;

    private volatile long dueAt;

    private volatile boolean underWay;

    private volatile boolean riskTold;

    RenewableLease(Terms terms, Proof granted) {
        this.terms = terms;
        this.proof = granted;
        this.dueAt = dueAfter(granted);
    }

    abstract LeaseLocker locker();

    abstract LockId id();

    abstract Token token();

    /** The present holder. */
    abstract HeldLock holder();

    /** Whether it was released or lost. */
    abstract boolean ended();

    /** When the present holder has held for as long as it may. */
    abstract long holdEnd();

    /** Ends the lease as lost, unless it has ended already. */
    abstract void lose(LossReason reason);

    final Terms terms() {
        return terms;
    }

    final Proof proof() {
        return proof;
    }

    final long dueAt() {
        return dueAt;
    }

    final boolean isExpired(long now) {
        return now - proof.validUntil() >= 0;
    }

    /** Whether the clock that validity is measured by seems to have stood still since the store last confirmed. */
    final boolean isSuspect(long now, long wallMillis) {
        Proof last = proof;
        long wall = TimeUnit.MILLISECONDS.toNanos(wallMillis - last.wallMillis());
        return wall - (now - last.sentAt()) > Math.max(LEAST_SUSPENSION, terms.ttlNanos() / 10);
    }

    /**
     * Looks after the lease: the watchdog's view of it. What is due soon is done now, so that many leases go together.
     *
     * @return how many nanoseconds from now to look again at the latest
     */
    final long look(long now, long wallMillis, RenewalRound round) {
        if (ended()) {
            return NEVER;
        }
        if (isExpired(now)) {
            expire();
            return NEVER;
        }
        boolean due = goesOn() && now + terms.ttlNanos() / 10 - dueAt >= 0;
        if (!underWay && (due || isSuspect(now, wallMillis))) {
            underWay = true;
            round.add(this, nextTtl(now));
        }
        return Math.min(untilRiskOrEnd(now), untilDue(now));
    }

    /** Ends the lease because its time is over. */
    final void expire() {
        lose(reachesHoldEnd() ? LossReason.MAX_HOLD_TIME : LossReason.EXPIRED);
    }

    /** Takes the store's answer to a renewal. */
    final void answered(RenewAnswer answer, Proof renewed) {
        underWay = false;
        if (ended()) {
            return;
        }
        HeldLock holder = holder();
        EngineParts parts = locker().parts();
        long now = parts.ticker().nanos();
        if (isExpired(now)) {
            expire();
            return;
        }
        switch (answer) {
            case RENEWED -> {
                boolean suspect = isSuspect(now, parts.ticker().wallMillis());
                proof = suspect ? renewed : renewed.noShorterThan(proof);
                dueAt = dueAfter(proof);
                riskTold = false;
                parts.watchdog().watch(this);
                parts.listener().renewed(holder, RenewOutcome.SUCCESS);
            }
            case NOT_OWNER -> {
                parts.listener().renewed(holder, RenewOutcome.LOST);
                lose(LossReason.NOT_OWNER);
            }
            case UNKNOWN -> {
                dueAt = now + retryDelay(now);
                parts.watchdog().watch(this);
                parts.listener().renewed(holder, RenewOutcome.FAILURE);
            }
        }
    }

    /** Renews because the holder says so, and waits for the answer. */
    final void renewNow(HeldLock holder, Duration ttl) {
        RenewalRound round = new RenewalRound(locker());
        round.add(this, ttl);
        round.send();
        try {
            Waits.await(round.applied(), terms.commandTimeout());
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(holder.locker(), holder.key());
        }
        RenewAnswer answer = round.answer();
        if (ended()) {
            holder.requireHeld();
        }
        if (answer == RenewAnswer.UNKNOWN) {
            throw new LockBackendException(
                    "the store did not confirm the renewal of lock '" + holder.key() + "' of locker '"
                            + holder.locker() + "' in time; it is held for another "
                            + holder.remaining().toMillis() + " ms",
                    holder.locker(),
                    holder.key(),
                    round.failure());
        }
    }

    private long untilRiskOrEnd(long now) {
        long untilEnd = proof.validUntil() - now;
        if (riskTold || !goesOn()) {
            return untilEnd;
        }
        long untilRisk = proof.sentAt() + terms.ttlNanos() / 3 * 2 - now;
        if (untilRisk > 0) {
            return Math.min(untilEnd, untilRisk);
        }
        riskTold = true;
        locker().parts().listener().atRisk(holder());
        return untilEnd;
    }

    private long untilDue(long now) {
        return underWay || !goesOn() ? NEVER : Math.max(pace(), dueAt - now);
    }

    /** The least time until the watchdog walks over all that is held again, if it is only for what is due. */
    private long pace() {
        return Math.min(LONGEST_PACE, terms.ttlNanos() / 20);
    }

    /** The ordinary ttl, or what is left of the maximum hold time; only the rest of the present lease if not renewed. */
    private Duration nextTtl(long now) {
        Duration ttl = terms.ttl();
        if (!terms.autoRenew()) {
            return Duration.ofNanos(proof.validUntil() - now).plusMillis(1);
        }
        long holdLeft = Math.max(TimeUnit.MILLISECONDS.toNanos(1), holdEnd() - now);
        return holdLeft < terms.ttlNanos() ? Duration.ofNanos(holdLeft) : ttl;
    }

    private boolean goesOn() {
        return terms.autoRenew() && !reachesHoldEnd();
    }

    /** Whether the lease runs as long as its holder may hold it, but for the allowance that validity makes. */
    private boolean reachesHoldEnd() {
        long holdEnd = holdEnd();
        return holdEnd != NEVER && holdEnd - proof.validUntil() <= 2 * Validity.allowance(terms.ttlNanos());
    }

    private long dueAfter(Proof proof) {
        return proof.validUntil() - terms.ttlNanos() / 3 * 2;
    }

    private long retryDelay(long now) {
        long left = proof.validUntil() - now;
        long longest = Math.max(LEAST_RETRY, Math.min(terms.ttlNanos() / 12, left / 4));
        return longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2 + 1);
    }
}
