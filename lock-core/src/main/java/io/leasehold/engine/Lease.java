package io.leasehold.engine;

import io.leasehold.LossReason;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What the store has granted to this process, and how long that is known to be true. It outlives its holders when it is
 * passed on in the line, and ends once, by release or by loss. Renewal is the business of {@link Renewal}.
 */
final class Lease {

    private static final long LEAST_SUSPENSION = TimeUnit.SECONDS.toNanos(1);

    private final LocalLine line;

    private final Token token;

    private final Terms terms;

    private final Renewal renewal;

    private volatile HeldLock holder;

    private volatile Proof proof;

    private volatile boolean ended;

    private long nextFence;

    private int handoffsLeft;

    Lease(LocalLine line, Token token, Terms terms, String key, long firstFence, Proof proof) {
        this.line = line;
        this.token = token;
        this.terms = terms;
        this.proof = proof;
        this.nextFence = firstFence + 1;
        this.handoffsLeft = line.locker().settings().maxLocalHandoffs();
        this.holder = new HeldLock(this, key, firstFence, proof.sentAt());
        this.renewal = new Renewal(this);
    }

    LeaseLocker locker() {
        return line.locker();
    }

    LockId id() {
        return line.id();
    }

    Token token() {
        return token;
    }

    Terms terms() {
        return terms;
    }

    Renewal renewal() {
        return renewal;
    }

    HeldLock holder() {
        return holder;
    }

    boolean ended() {
        return ended;
    }

    void markEnded() {
        ended = true;
    }

    Proof proof() {
        return proof;
    }

    void confirm(Proof newer) {
        proof = newer;
    }

    boolean isExpired(long now) {
        return now - proof.validUntil() >= 0;
    }

    /** Whether the clock that validity is measured by seems to have stood still since the store last confirmed. */
    boolean isSuspect(long now, long wallMillis) {
        Proof last = proof;
        long wall = TimeUnit.MILLISECONDS.toNanos(wallMillis - last.wallMillis());
        return wall - (now - last.sentAt()) > Math.max(LEAST_SUSPENSION, terms.ttlNanos() / 10);
    }

    /** When the present holder has held for as long as it may. */
    long holdEnd() {
        return terms.maxHold() == Long.MAX_VALUE ? Long.MAX_VALUE : holder.acquiredAt() + terms.maxHold();
    }

    boolean mayBePassedOn(Acquisition next, long now) {
        return handoffsLeft > 0
                && terms.autoRenew()
                && terms.equals(next.terms())
                && proof.validUntil() - now > terms.ttlNanos() / 2
                && !isSuspect(now, locker().parts().ticker().wallMillis());
    }

    HeldLock passOn(Acquisition next, long now) {
        handoffsLeft--;
        HeldLock handed = new HeldLock(this, next.key(), nextFence++, now);
        holder = handed;
        return handed;
    }

    /** Ends the lease as lost: tells the holder, then lets the next in line go to the store. */
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
    LeaseRelease release(HeldLock by, long now) {
        Duration keepFor = by.stillToHold(now);
        if (keepFor.isZero() && line.handOver(this, now)) {
            return LeaseRelease.PASSED_ON;
        }
        if (!line.end(this)) {
            return LeaseRelease.LOST_MEANWHILE;
        }
        return LeaseRelease.send(this, keepFor);
    }

    LocalLine line() {
        return line;
    }
}
