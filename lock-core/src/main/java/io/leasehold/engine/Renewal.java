package io.leasehold.engine;

import io.leasehold.LockBackendException;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockListener.RenewOutcome;
import io.leasehold.LossReason;
import io.leasehold.spi.RenewAnswer;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The renewal of one lease (RELIABILITY R5, R10).
 *
 * <ol>
 *   <li>It is due when a third of the ttl has passed since the store was asked and confirmed.
 *   <li>An answer that does not come is asked for again after a twelfth of the ttl at most, sooner as the end comes
 *       nearer, with jitter.
 *   <li>When two thirds of the ttl have passed without a confirmation, the lease is at risk; when its validity ends,
 *       lost.
 *   <li>If the store says that the lease is not ours, it is lost at once, whatever the clock says.
 *   <li>No renewal goes beyond the holder's maximum hold time; at its end the lease is lost.
 * </ol>
 */
final class Renewal {

    static final long NEVER = Long.MAX_VALUE;

    private static final long LEAST_RETRY = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long LONGEST_PACE = TimeUnit.MILLISECONDS.toNanos(200);

    private final Lease lease;

    private volatile long dueAt;

    private volatile boolean underWay;

    private volatile boolean riskTold;

    Renewal(Lease lease) {
        this.lease = lease;
        this.dueAt = dueAfter(lease.proof());
    }

    /**
     * Looks after the lease: the watchdog's view of it. What is due soon is done now, so that many leases go together.
     *
     * @return how many nanoseconds from now to look again at the latest
     */
    long look(long now, long wallMillis, RenewalRound round) {
        if (lease.ended()) {
            return NEVER;
        }
        if (lease.isExpired(now)) {
            expire();
            return NEVER;
        }
        boolean due = goesOn() && now + pace() - dueAt >= 0;
        if (!underWay && (due || lease.isSuspect(now, wallMillis))) {
            underWay = true;
            round.add(lease, nextTtl(now));
        }
        return Math.min(untilRiskOrEnd(now), untilDue(now));
    }

    long dueAt() {
        return dueAt;
    }

    /** Ends the lease because its time is over. */
    void expire() {
        lease.lose(reachesHoldEnd() ? LossReason.MAX_HOLD_TIME : LossReason.EXPIRED);
    }

    /** Takes the store's answer to a renewal. */
    void answered(RenewAnswer answer, Proof renewed) {
        underWay = false;
        if (lease.ended()) {
            return;
        }
        HeldLock holder = lease.holder();
        EngineParts parts = lease.locker().parts();
        long now = parts.ticker().nanos();
        if (lease.isExpired(now)) {
            expire();
            return;
        }
        switch (answer) {
            case RENEWED -> {
                boolean suspect = lease.isSuspect(now, parts.ticker().wallMillis());
                lease.confirm(suspect ? renewed : renewed.noShorterThan(lease.proof()));
                dueAt = dueAfter(lease.proof());
                riskTold = false;
                parts.watchdog().watch(lease, now);
                parts.listener().renewed(holder, RenewOutcome.SUCCESS);
            }
            case NOT_OWNER -> {
                parts.listener().renewed(holder, RenewOutcome.LOST);
                lease.lose(LossReason.NOT_OWNER);
            }
            case UNKNOWN -> {
                dueAt = now + retryDelay(now);
                parts.watchdog().watch(lease, now);
                parts.listener().renewed(holder, RenewOutcome.FAILURE);
            }
        }
    }

    /** Renews because the holder says so, and waits for the answer. */
    void now(HeldLock holder, Duration ttl) {
        RenewalRound round = new RenewalRound(lease.locker());
        round.add(lease, ttl);
        round.send();
        try {
            Waits.await(round.applied(), lease.terms().commandTimeout());
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(holder.locker(), holder.key());
        }
        RenewAnswer answer = round.answer();
        if (answer == RenewAnswer.NOT_OWNER || lease.ended()) {
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
        long untilEnd = lease.proof().validUntil() - now;
        if (riskTold || !goesOn()) {
            return untilEnd;
        }
        long untilRisk = lease.proof().sentAt() + lease.terms().ttlNanos() / 3 * 2 - now;
        if (untilRisk > 0) {
            return Math.min(untilEnd, untilRisk);
        }
        riskTold = true;
        lease.locker().parts().listener().atRisk(lease.holder());
        return untilEnd;
    }

    private long untilDue(long now) {
        return underWay || !goesOn() ? NEVER : Math.max(pace(), dueAt - now);
    }

    private long pace() {
        return Math.min(LONGEST_PACE, lease.terms().ttlNanos() / 50);
    }

    /** The ordinary ttl, or what is left of the maximum hold time; only the rest of the present lease if not renewed. */
    private Duration nextTtl(long now) {
        Duration ttl = lease.terms().ttl();
        if (!lease.terms().autoRenew()) {
            return Duration.ofNanos(lease.proof().validUntil() - now).plusMillis(1);
        }
        long holdLeft = Math.max(TimeUnit.MILLISECONDS.toNanos(1), lease.holdEnd() - now);
        return holdLeft < lease.terms().ttlNanos() ? Duration.ofNanos(holdLeft) : ttl;
    }

    private boolean goesOn() {
        return lease.terms().autoRenew() && !reachesHoldEnd();
    }

    /** Whether the lease runs as long as its holder may hold it, but for the allowance that validity makes. */
    private boolean reachesHoldEnd() {
        long holdEnd = lease.holdEnd();
        return holdEnd != NEVER
                && holdEnd - lease.proof().validUntil()
                        <= 2 * Validity.allowance(lease.terms().ttlNanos());
    }

    private long dueAfter(Proof proof) {
        return proof.validUntil() - lease.terms().ttlNanos() / 3 * 2;
    }

    private long retryDelay(long now) {
        long left = lease.proof().validUntil() - now;
        long longest = Math.max(LEAST_RETRY, Math.min(lease.terms().ttlNanos() / 12, left / 4));
        return longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2 + 1);
    }
}
