package io.leasehold.jdbc.table;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * A lock's row in the lease table.
 *
 * @param token the token of the present or last lease
 * @param fence the first of the fencing tokens that were reserved last
 * @param remainingMicros the longest time that the lease still runs; zero or less if the lock is free
 * @param isAhead whether the row was written at a time that is still in the future, so that the clock was set back
 * @param notifies whether the database will notify waiters of the release, because a waiter has requested it
 */
public record LeaseRow(String token, long fence, long remainingMicros, boolean isAhead, boolean notifies) {

    LeaseRow(String token, long fence, long remainingMicros) {
        this(token, fence, remainingMicros, false, false);
    }

    /** A free lock presented as held for a moment, under a token that no caller has. */
    LeaseRow keptFor(Duration moment) {
        return new LeaseRow("", fence, LeaseRequest.micros(moment), false, notifies);
    }

    public boolean isHeld() {
        return remainingMicros > 0;
    }

    boolean isHeldBy(String owner) {
        return isHeld() && token.equals(owner);
    }

    public Duration remaining() {
        return Duration.of(remainingMicros, ChronoUnit.MICROS);
    }
}
