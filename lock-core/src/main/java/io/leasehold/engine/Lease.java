package io.leasehold.engine;

import io.leasehold.LossReason;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What the store has granted to this process, and how long that is known to be true. It outlives its holders when it is
 * passed on in the line, and ends once, by release or by loss.
 */
final class Lease extends RenewableLease {

    /**
     * For how long a lease is passed on, whatever its holders do meanwhile: long beside the round trips that it spares, and
     * short for those who wait in other processes.
     */
    private static final long LONGEST_RUN = TimeUnit.MILLISECONDS.toNanos(16);

    private final LocalLine line;

    private final long tokenHigh;

    private final long tokenLow;

    private volatile HeldLock holder;

    private volatile boolean ended;

    private final long passedOnUntil;

    Lease(LocalLine line, Token token, Terms terms, String key, long firstFence, Proof proof) {
        super(terms, proof);
        this.line = line;
        this.tokenHigh = token.high();
        this.tokenLow = token.low();
        this.passedOnUntil = proof.sentAt() + LONGEST_RUN;
        int handoffs = line.locker().settings().maxLocalHandoffs();
        this.holder = new HeldLock(this, key, firstFence, proof.sentAt(), handoffs);
    }

    @Override
    LeaseLocker locker() {
        return line.locker();
    }

    @Override
    LockId id() {
        return line.id();
    }

    @Override
    Token token() {
        return new Token(tokenHigh, tokenLow);
    }

    @Override
    HeldLock holder() {
        return holder;
    }

    @Override
    boolean ended() {
        return ended;
    }

    void markEnded() {
        ended = true;
    }

    @Override
    long holdEnd() {
        return terms().maxHold() == Long.MAX_VALUE ? Long.MAX_VALUE : holder.acquiredAt() + terms().maxHold();
    }

    boolean mayBePassedOn(Acquisition next, long now) {
        return holder.handoffsLeft() > 0
                && now - passedOnUntil < 0
                && terms().autoRenew()
                && terms().equals(next.terms())
                && proof().validUntil() - now > terms().ttlNanos() / 2
                && !isSuspect(now, locker().parts().ticker().wallMillis());
    }

    HeldLock passOn(Acquisition next, long now) {
        HeldLock before = holder;
        HeldLock handed = new HeldLock(this, next.key(), before.fencingToken() + 1, now, before.handoffsLeft() - 1);
        holder = handed;
        return handed;
    }

    /** Ends the lease as lost: tells the holder, then lets the next in line go to the store. */
    @Override
    void lose(LossReason reason) {
        if (!line.end(this)) {
            return;
        }
        holder.lost(reason);
        if (reason != LossReason.NOT_OWNER) {
            locker().parts().reaper().remove(Removal.ofLease(this));
        }
        line.advance();
    }

    /** Ends the lease as released: passes it on if somebody waits for it, or gives it back to the store. */
    LeaseRelease release(HeldLock by, long now, Duration patience) {
        Duration keepFor = by.stillToHold(now);
        if (keepFor.isZero() && line.handOver(this, now)) {
            return LeaseRelease.PASSED_ON;
        }
        if (!line.end(this)) {
            return LeaseRelease.LOST_MEANWHILE;
        }
        return LeaseRelease.send(this, keepFor, patience);
    }

    LocalLine line() {
        return line;
    }
}
