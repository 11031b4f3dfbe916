package io.leasehold.jdbc.table;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * What the lease table says about a lock.
 *
 * @param token whose lease it is or was
 * @param fence the first of the fencing tokens that were reserved last
 * @param remainingMicros how long the lease still runs at most; zero or less if the lock is free
 * @param isAhead whether it was written at a time that is still to come, so that the clock was set back
 * @param notifies whether the database will tell of its release, because somebody has asked for that
 */
public record LeaseRow(String token, long fence, long remainingMicros, boolean isAhead, boolean notifies) {

    LeaseRow(String token, long fence, long remainingMicros) {
        this(token, fence, remainingMicros, false, false);
    }

    /** A free lock as if it were held for a moment, by nobody who could ask. */
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
