package io.leasehold.engine;

import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;

/**
 * A token that may be in the store and must not stay there.
 *
 * @param sentAt when the command that may have put it there was sent
 * @param mayArriveLate whether that command may still be under way, so that its absence now proves nothing
 */
record Removal(LeaseLocker locker, LockId id, Token token, Terms terms, long sentAt, boolean mayArriveLate) {

    /** What an attempt to acquire may have left that the store did not answer. */
    static Removal ofAttempt(LeaseLocker locker, LockId id, Token token, Terms terms, long sentAt) {
        return new Removal(locker, id, token, terms, sentAt, true);
    }

    /** A place in the store's line that its caller has given up, with no command under way. */
    static Removal ofPlaceInLine(LeaseLocker locker, LockId id, Token token, Terms terms, long now) {
        return new Removal(locker, id, token, terms, now, false);
    }

    /** A lease that was there, and whose end the store has not confirmed. */
    static Removal ofLease(Lease lease) {
        return new Removal(
                lease.locker(),
                lease.id(),
                lease.token(),
                lease.terms(),
                lease.proof().sentAt(),
                false);
    }

    ReleaseCommand command() {
        return new ReleaseCommand(id, token);
    }
}
