package io.leasehold.backend.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that are kept open, up to a number. One that has not been used for a second is asked
 * whether it still lives, and so is every one after another has failed; a dead one is replaced before anything is sent.
 */
final class SessionPool implements AutoCloseable {

    private static final long TRUSTED_NANOS = Duration.ofSeconds(1).toNanos();

    private final DataSource dataSource;

    private final Duration lockWait;

    private final Duration commandTimeout;

    private final LongSupplier nanoTime;

    private final Deque<Session> idle = new ConcurrentLinkedDeque<>();

    private final int mostIdle;

    private volatile long suspectBefore;

    private volatile boolean closed;

    SessionPool(
            DataSource dataSource, Duration lockWait, Duration commandTimeout, int mostIdle, LongSupplier nanoTime) {
        this.dataSource = dataSource;
        this.lockWait = lockWait;
        this.commandTimeout = commandTimeout;
        this.mostIdle = mostIdle;
        this.nanoTime = nanoTime;
        this.suspectBefore = nanoTime.getAsLong();
    }

    /** A session for the calling thread alone, which gives it back or discards it. */
    Session take() throws SQLException {
        for (Session session = idle.pollFirst(); session != null; session = idle.pollFirst()) {
            if (isTrusted(session) || session.isAlive()) {
                return session;
            }
            session.close();
        }
        return Session.open(dataSource, lockWait, commandTimeout);
    }

    /** Takes a session back, unless it is reserved: then it comes back later. */
    void giveBack(Session session) {
        if (session.isReserved()) {
            return;
        }
        if (idle.size() >= mostIdle) {
            session.close();
            return;
        }
        session.usedAt(nanoTime.getAsLong());
        idle.addFirst(session);
        if (closed) {
            close();
        }
    }

    /** Closes a session that failed, and has the others asked before they are used again. */
    void discard(Session session) {
        suspectBefore = nanoTime.getAsLong();
        session.close();
    }

    @Override
    public void close() {
        closed = true;
        for (@Nullable Session session = idle.pollFirst(); session != null; session = idle.pollFirst()) {
            session.close();
        }
    }

    private boolean isTrusted(Session session) {
        return session.lastUsed() - suspectBefore > 0 && nanoTime.getAsLong() - session.lastUsed() < TRUSTED_NANOS;
    }
}
