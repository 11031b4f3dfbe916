package io.leasehold.backend.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A row that this process has locked, and its connection. It ends once: by release, when it was not renewed for its ttl,
 * or when its connection does not answer.
 */
final class HeldRow {

    private final LockedRow sql;

    private final Session session;

    private final SessionPool sessions;

    private final LongSupplier nanoTime;

    private final long fence;

    private volatile long deadline;

    private volatile boolean over;

    HeldRow(LockedRow sql, Session session, SessionPool sessions, LongSupplier nanoTime, long fence, long deadline) {
        this.sql = sql;
        this.session = session;
        this.sessions = sessions;
        this.nanoTime = nanoTime;
        this.fence = fence;
        this.deadline = deadline;
        sessions.reserve(session);
    }

    long fence() {
        return fence;
    }

    /** How long it lasts from now on unless it is renewed, in nanoseconds; zero or less if it is over. */
    long remainingNanos() {
        return over ? 0 : deadline - nanoTime.getAsLong();
    }

    /** Lets it last for at least a ttl from now, if its connection lives; false if it is over. */
    synchronized boolean renew(Duration ttl) {
        long now = nanoTime.getAsLong();
        if (over || deadline - now <= 0) {
            end();
            return false;
        }
        try {
            long wanted = now + ttl.toNanos();
            if (wanted - deadline > 0) {
                sql.endWhenIdleFor(session, ttl);
            }
            sql.beat(session);
            deadline = Math.max(0, wanted - deadline) + deadline;
            return true;
        } catch (SQLException ex) {
            lose();
            return false;
        }
    }

    /** Lets it last for a while from now and no longer; false if it is over. */
    synchronized boolean keep(Duration time) {
        if (over || remainingNanos() <= 0) {
            end();
            return false;
        }
        try {
            sql.endWhenIdleFor(session, time);
        } catch (SQLException ex) {
            lose();
            return false;
        }
        deadline = nanoTime.getAsLong() + time.toNanos();
        return true;
    }

    /** Lets the row go; false if it was over already. */
    synchronized boolean end() {
        if (over) {
            return false;
        }
        boolean wasValid = remainingNanos() > 0;
        over = true;
        try {
            sql.unlock(session);
            sessions.giveBackReserved(session);
            return wasValid;
        } catch (SQLException ex) {
            sessions.discardReserved(session);
            return false;
        }
    }

    private void lose() {
        over = true;
        sessions.discardReserved(session);
    }
}
