package io.leasehold.engine;

import io.leasehold.LockBackendException;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockListener.RenewOutcome;
import io.leasehold.LockLostException;
import io.leasehold.LockState.Held;
import io.leasehold.LossReason;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockId;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import io.leasehold.support.LeaseValidity;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lease that the store has granted to this process, and its validity. A lease outlives its holder when it is handed
 * over in the {@link LocalQueue}. It ends once, by release or by loss.
 *
 * <p>The store's answers to renewals change a lease (rules.md R10). A lease that the store denies is lost, even if
 * it is still valid by the clock. No automatic renewal exceeds the holder's maximum hold time. An answer for an ended
 * lease is ignored.
 */
final class Lease implements RenewalBatch.Renewable {

    static final long NEVER = Long.MAX_VALUE;

    /** The time for which a lease may be handed over if the store answers within a few milliseconds. */
    private static final long SHORTEST_RUN = TimeUnit.MILLISECONDS.toNanos(16);

    /** The maximum time for which a lease may be handed over, because waiters of other processes feel it. */
    private static final long LONGEST_RUN = TimeUnit.MILLISECONDS.toNanos(100);

    /** The round trips of a release and an acquisition, which a run of hand-overs has to be worth. */
    private static final long ROUND_TRIPS_OF_A_RUN = 2;

    /** The greatest number of fencing tokens of a grant: a block of etcd. Other stores reserve at most 256. */
    static final long MOST_TOKENS = 1 << 16;

    private final Queue queue;

    // the token as two numbers: saves one object per held lock
    private final long tokenHigh;

    private final long tokenLow;

    /** Of the grant: the engine becomes another instance when it resumes, also at the start of an application. */
    private final @Nullable Instance instance;

    /** Of the grant: the store does not see a hand-over. */
    private final long threadId;

    private final LeaseTerms terms;

    private final long handedOverUntil;

    private volatile LeaseHandle holder;

    private volatile LeaseValidity validity;

    private volatile long dueAt;

    /** Whether the store has granted the lease for less than its ttl, until the first renewal. */
    private volatile boolean provisional;

    private volatile boolean renewing;

    private volatile boolean riskReported;

    /**
     * Until when the store may have the lease because of a renewal for longer than the ttl, answered or not: in seconds
     * after {@link #handedOverUntil}, zero without such a renewal. Not a time, which needs 8 bytes more per held lock.
     */
    private volatile int prolongedFor;

    private volatile boolean ended;

    Lease(Queue queue, LeaseTerms terms, String key, Grant grant, @Nullable Thread holdingThread) {
        this.queue = queue;
        this.tokenHigh = grant.token().high();
        this.tokenLow = grant.token().low();
        this.instance = grant.token().instance();
        this.threadId = grant.token().threadId();
        this.terms = terms;
        this.handedOverUntil = grant.receivedAt() + run(grant.roundTrip());
        this.provisional = grant.provisional();
        this.validity = grant.validity();
        this.dueAt = RenewalSchedule.dueAfter(validity, terms.ttlNanos());
        long acquiredAt = provisional ? grant.receivedAt() : validity.sentAt();
        this.holder = new LeaseHandle(this, key, grant.firstFence(), acquiredAt, grant.handOvers(), holdingThread);
    }

    /**
     * The time for which a lease may be handed over after the process has received it. It grows with the round trip to
     * the store. Otherwise a process behind a long round trip would release most of its leases after one section.
     */
    private static long run(long roundTrip) {
        return Math.min(LONGEST_RUN, Math.max(SHORTEST_RUN, ROUND_TRIPS_OF_A_RUN * roundTrip));
    }

    LockerState locker() {
        return queue.locker();
    }

    Queue queue() {
        return queue;
    }

    LockId id() {
        return queue.id();
    }

    Token token() {
        return new Token(tokenHigh, tokenLow, instance, threadId);
    }

    LeaseTerms terms() {
        return terms;
    }

    @Override
    public LeaseHandle holder() {
        return holder;
    }

    /** The name of one of its holders, whose thread is another one than the store has after a hand-over. */
    @Nullable
    String name(LeaseHandle holder) {
        Thread thread = holder.thread();
        return instance == null ? null : Instance.holder(instance.name(), thread == null ? 0 : thread.getId());
    }

    LeaseValidity validity() {
        return validity;
    }

    long dueAt() {
        return dueAt;
    }

    /** Whether the release of another process has granted the lease, and it was not renewed since. */
    boolean isProvisional() {
        return provisional;
    }

    boolean hasEnded() {
        return ended;
    }

    void markEnded() {
        ended = true;
    }

    boolean isExpired(long now) {
        return validity.hasEnded(now);
    }

    /** Whether the monotonic clock seems to have stood still since the store's last confirmation. */
    boolean isSuspect(long now, long wallMillis) {
        return RenewalSchedule.isSuspect(validity, terms.ttlNanos(), provisional, now, wallMillis);
    }

    /**
     * Whether a state of the lock in the store is that of this lease. Its last fencing token identifies it in most
     * stores. In etcd the store has the last one of a block of {@value #MOST_TOKENS}, and in Redis it may be missing; both
     * have the name of this process. The name alone does not identify it, because two processes may have the same.
     */
    boolean isReportedAs(Held state) {
        LeaseHandle holder = this.holder;
        long token = state.fencingToken().orElse(0);
        if (token == holder.fencingToken() + holder.handOversLeft()) {
            return true;
        }
        boolean mayBeOurs = token == 0 || token == (holder.fencingToken() | MOST_TOKENS - 1);
        String name = state.holder();
        // Redis does not have the thread if its id is too long
        return mayBeOurs
                && instance != null
                && (instance.name().equals(name) || Objects.equals(token().holder(), name));
    }

    /** The time at which the present holder reaches its maximum hold time. */
    long holdEnd() {
        return terms.maxHold() == NEVER ? NEVER : holder.acquiredAt() + terms.maxHold();
    }

    /**
     * Whether the lease may be handed over to a waiter that wants a lease with the given terms. One that its holder has
     * asked to renew for longer than the ttl is not, whether it was answered or not: the next holder would be notified of
     * a loss as late.
     */
    boolean mayBeHandedOver(LeaseTerms wanted, long now) {
        return holder.handOversLeft() > 0
                && now - handedOverUntil < 0
                && terms.autoRenew()
                && terms.equals(wanted)
                && validity.validUntil() - now > leastToHandOver()
                && prolongedFor == 0
                && !isSuspect(now, locker().resources().ticker().wallMillis());
    }

    /** The least validity of the next holder. */
    private long leastToHandOver() {
        return granted() / 2;
    }

    /** How long the lease lasts without a renewal: the ttl, or the shorter time of a provisional lease. */
    private long granted() {
        LeaseValidity validity = this.validity;
        return provisional ? validity.validUntil() - validity.sentAt() : terms.ttlNanos();
    }

    /** Creates the handle of the next holder, which is a thread or an asynchronous caller. */
    LeaseHandle handOver(long now, @Nullable Thread next) {
        LeaseHandle before = holder;
        LeaseHandle after =
                new LeaseHandle(this, before.key(), before.fencingToken() + 1, now, before.handOversLeft() - 1, next);
        holder = after;
        return after;
    }

    /** Ends the lease as lost. Notifies its holder, then lets the next waiter acquire from the store. */
    void lose(LossReason reason) {
        if (!queue.end(this)) {
            return;
        }
        boolean holderWorks = true;
        try {
            holderWorks = holder.lost(reason);
        } finally {
            try {
                // a revoked lease keeps its remaining time, in which its holder may still work
                if (!holderWorks || reason != LossReason.NOT_OWNER && reason != LossReason.REVOKED) {
                    reap();
                }
            } finally {
                queue.advance();
            }
        }
    }

    /** Ends the lease because its validity has ended. */
    void expire() {
        lose(reasonOfExpiry());
    }

    LossReason reasonOfExpiry() {
        if (reachesHoldEnd()) {
            return LossReason.MAX_HOLD_TIME;
        }
        return terms().autoRenew() ? LossReason.EXPIRED : LossReason.NOT_RENEWED;
    }

    /** Releases the lock for its holder. Hands the lease over to the next waiter, or releases it in the store. */
    LeaseRelease release(LeaseHandle by) {
        Duration retainFor;
        try {
            // not before: a listener may have taken its time, which the next holder must not lose
            long now = locker().resources().ticker().nanos();
            retainFor = by.stillToHold(now);
            if (retainFor.isZero() && queue.handOver(this, now)) {
                return LeaseRelease.HANDED_OVER;
            }
        } catch (Throwable ex) {
            if (holder == by) {
                // the handle has ended, so no other thread would end the lease
                lose(LossReason.SHUTDOWN);
            }
            throw ex;
        }
        return queue.end(this) ? LeaseRelease.send(this, retainFor) : LeaseRelease.LOST_MEANWHILE;
    }

    /** Lets the reaper remove the lease from the store, or retain it for the rest of the minimum hold time. */
    void reap() {
        long now = locker().resources().ticker().nanos();
        locker().resources()
                .reaper()
                .remove(Reaper.Removal.ofLease(
                        locker().backlog(),
                        id(),
                        token(),
                        terms,
                        storedAt(),
                        now + holder.stillToHold(now).toNanos()));
    }

    /** When the lease was stored, as if for its ttl. A renewal for longer counts as a later command. */
    private long storedAt() {
        long confirmed = later(validity.sentAt(), validity.validUntil() - terms.ttlNanos());
        int prolonged = prolongedFor;
        return prolonged == 0
                ? confirmed
                : later(confirmed, handedOverUntil + TimeUnit.SECONDS.toNanos(prolonged) - terms.ttlNanos());
    }

    private static long later(long one, long other) {
        return other - one > 0 ? other : one;
    }

    /**
     * Checks the lease for the watchdog: ends it if it has expired, and adds it to the batch if a renewal is due or the
     * lease is perhaps revoked.
     *
     * @param revoked the last 64 bits of the tokens of leases that are perhaps revoked
     * @return the nanoseconds until the next check at the latest
     */
    long look(long now, long wallMillis, Set<Long> revoked, RenewalBatch batch) {
        if (ended) {
            return NEVER;
        }
        if (isExpired(now)) {
            expire();
            return NEVER;
        }
        boolean awaitsAnswer = renewing && now - dueAt < 0;
        if (!awaitsAnswer && (isDue(now) || isSuspect(now, wallMillis))) {
            batch.dueSince(dueAt);
            addTo(batch, nextTtl(now));
            awaitAnswer(now);
        } else if (!revoked.isEmpty() && revoked.contains(tokenLow)) {
            // also if a renewal is under way: the store may have answered it before the lease was revoked
            addTo(batch, nextTtl(now));
            awaitAnswer(now);
        }
        return Math.min(untilRiskOrEnd(now), untilDue(now));
    }

    @Override
    public void answered(RenewAnswer answer, LeaseValidity renewed) {
        renewing = false;
        if (ended) {
            return;
        }
        LeaseHandle holder = this.holder;
        EngineResources resources = locker().resources();
        long now = resources.ticker().nanos();
        if (isExpired(now)) {
            expire();
            return;
        }
        switch (answer) {
            case RENEWED -> {
                boolean suspect = isSuspect(now, resources.ticker().wallMillis());
                validity = suspect ? renewed : renewed.noShorterThan(validity);
                dueAt = RenewalSchedule.dueAfter(validity, terms.ttlNanos());
                riskReported = false;
                provisional = false;
                holder.countRenewal();
                resources.watchdog().watch(dueAt);
                resources.listener().renewed(holder, RenewOutcome.SUCCESS);
            }
            case NOT_OWNER, REVOKED -> {
                resources.listener().renewed(holder, RenewOutcome.LOST);
                lose(reasonOf(answer));
            }
            case UNKNOWN -> {
                dueAt = now + RenewalSchedule.retryDelay(validity, terms.ttlNanos(), now, resources.jitter());
                resources.watchdog().watch(dueAt);
                resources.listener().renewed(holder, RenewOutcome.FAILURE);
            }
        }
    }

    /** Renews the lease for its holder, and waits for the answer. */
    void renewNow(LeaseHandle holder, Duration ttl) {
        EngineResources resources = locker().resources();
        if (ttl.compareTo(terms.ttl()) > 0) {
            // before it is sent: the caller may give up on the answer and release the lock
            prolong(resources.ticker().nanos() + ttl.toNanos());
        }
        // read after the write: a release finds the lease prolonged, or its end is found here. Otherwise the lease that
        // was handed over would last as long for the next holder
        holder.requireNotEnded();
        RenewalBatch batch = new RenewalBatch(locker(), terms.commandTimeout());
        addTo(batch, ttl);
        batch.send();
        try {
            resources.parker().await(batch.applied(), terms.commandTimeout(), resources.ticker());
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(holder.locker(), holder.key());
        }
        RenewAnswer answer = batch.answer();
        if (ended) {
            holder.requireHeld();
        }
        // the thread that ends the lease may not have ended the handle yet
        if (answer == RenewAnswer.NOT_OWNER || answer == RenewAnswer.REVOKED) {
            throw new LockLostException(holder.locker(), holder.key(), reasonOf(answer));
        }
        if (answer == RenewAnswer.UNKNOWN) {
            throw new LockBackendException(
                    "the store did not confirm the renewal of lock '" + holder.key() + "' of locker '"
                            + holder.locker() + "' in time; it is held for another "
                            + holder.remaining().toMillis() + " ms",
                    holder.locker(),
                    holder.key(),
                    batch.failure());
        }
    }

    /** Synchronized, because several threads may renew the lease for one holder. */
    private synchronized void prolong(long until) {
        prolongedFor = Math.max(prolongedFor, (int) TimeUnit.NANOSECONDS.toSeconds(until - handedOverUntil) + 1);
    }

    private static LossReason reasonOf(RenewAnswer denial) {
        return denial == RenewAnswer.REVOKED ? LossReason.REVOKED : LossReason.NOT_OWNER;
    }

    /** Lets the watchdog renew the lease. A provisional lease is renewed immediately. */
    void watch() {
        if (provisional) {
            long now = locker().resources().ticker().nanos();
            RenewalBatch batch = new RenewalBatch(locker(), terms.commandTimeout());
            addTo(batch, ordinaryTtl(now));
            awaitAnswer(now);
            batch.send();
        }
        // a provisional lease may end before its next renewal is due
        long dueAt = this.dueAt;
        long end = validity.validUntil();
        locker().resources().watchdog().watch(end - dueAt < 0 ? end : dueAt);
    }

    /**
     * Lets the watchdog renew the lease for a holder to which it was handed over. The watchdog does not check a lease that
     * reaches the maximum hold time of its holder, and the next holder has a later one.
     */
    void watchForNextHolder() {
        if (terms.maxHold() != NEVER) {
            locker().resources().watchdog().watch(dueAt);
        }
    }

    private void addTo(RenewalBatch batch, Duration ttl) {
        batch.add(this, new RenewCommand(id(), token(), ttl));
    }

    /** The next renewal is due when no answer can arrive any more, in case an error of the JVM prevents the answer. */
    private void awaitAnswer(long now) {
        renewing = true;
        dueAt = now + terms.commandTimeout() + RenewalSchedule.longestRetryDelay(validity, terms.ttlNanos(), now);
    }

    /**
     * Whether the holder has released the lock and no longer needs the lease. An error of the JVM may end a release in
     * between, and then nobody else would end the lease.
     */
    private boolean isForgotten(long now) {
        LeaseHandle holder = this.holder;
        return holder.isReleased() && holder.stillToHold(now).isZero();
    }

    private boolean isDue(long now) {
        boolean retry = dueAt != RenewalSchedule.dueAfter(validity, terms.ttlNanos());
        long early = RenewalSchedule.earliness(validity, terms.ttlNanos(), now, retry);
        return isRenewable() && !isForgotten(now) && now + early - dueAt >= 0;
    }

    private long untilRiskOrEnd(long now) {
        long untilEnd = validity.validUntil() - now;
        if (riskReported || !isRenewable()) {
            return untilEnd;
        }
        long untilRisk = RenewalSchedule.riskAfter(validity, terms.ttlNanos()) - now;
        if (untilRisk > 0) {
            return Math.min(untilEnd, untilRisk);
        }
        riskReported = true;
        locker().resources().listener().atRisk(holder);
        return untilEnd;
    }

    private long untilDue(long now) {
        return !isRenewable() ? NEVER : Math.max(RenewalSchedule.pace(granted()), dueAt - now);
    }

    /** The ttl for the watchdog: the ordinary one, or without automatic renewal the rest of the present lease. */
    private Duration nextTtl(long now) {
        return terms.autoRenew() || provisional ? ordinaryTtl(now) : rest(now);
    }

    /**
     * The ttl for a holder that names none. Without automatic renewal no later renewal restores a longer lease that a
     * confirmation has replaced, so the rest of the present one is the least.
     */
    Duration renewalTtl(long now) {
        Duration ordinary = ordinaryTtl(now);
        return !terms.autoRenew() && rest(now).compareTo(ordinary) > 0 ? rest(now) : ordinary;
    }

    private Duration rest(long now) {
        return Duration.ofNanos(validity.validUntil() - now).plusMillis(1);
    }

    /** The ttl of the terms, but no longer than the rest of the maximum hold time. */
    private Duration ordinaryTtl(long now) {
        if (terms.maxHold() == NEVER) {
            return terms.ttl();
        }
        long holdLeft = Math.max(TimeUnit.MILLISECONDS.toNanos(1), holdEnd() - now);
        return holdLeft < terms.ttlNanos() ? Duration.ofNanos(holdLeft) : terms.ttl();
    }

    private boolean isRenewable() {
        return (terms.autoRenew() || provisional) && !reachesHoldEnd();
    }

    /** Whether the lease is already valid until the maximum hold time, apart from the allowance of the validity. */
    private boolean reachesHoldEnd() {
        long holdEnd = holdEnd();
        return holdEnd != NEVER && holdEnd - validity.validUntil() <= 2 * LeaseValidity.allowance(terms.ttlNanos());
    }

    /**
     * What the store has granted.
     *
     * @param token the owner of the lease
     * @param firstFence the fencing token of the first holder
     * @param handOvers how many further holders have a fencing token
     * @param validity the validity of the lease
     * @param receivedAt when the grant was received
     * @param roundTrip the time that the last answer of the store took
     * @param provisional whether the lease is shorter than the ttl until it is renewed
     */
    record Grant(
            Token token,
            long firstFence,
            int handOvers,
            LeaseValidity validity,
            long receivedAt,
            long roundTrip,
            boolean provisional) {}

    /** The callers of this process that wait for the lock of a lease. */
    interface Queue {

        LockerState locker();

        LockId id();

        /** Hands a lease over to the next waiter, if one exists and the lease permits it. */
        boolean handOver(Lease held, long now);

        /**
         * Ends a lease, once. The caller that gets true must call {@link #advance()} once the store has answered the
         * release or the reaper has taken it over.
         */
        boolean end(Lease held);

        /**
         * Makes the next waiter the head, after the present head or holder is done. Removes the queue if no waiter is
         * left.
         */
        void advance();
    }
}
