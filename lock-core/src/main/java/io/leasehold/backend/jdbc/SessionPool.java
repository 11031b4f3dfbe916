package io.leasehold.backend.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that are kept open, up to a number. One that is not trusted any more, see {@link IdleSessions}, is asked whether
 * it still lives; a dead one is replaced before anything is sent.
 *
 * <p>Who finds none idle has one opened, in the background, and takes what comes first, that one or another that comes
 * back: the application's pool may have nothing to give before those who wait for a lock here have it, and a driver may
 * wait for a server that does not answer for longer than anybody cares.
 */
final class SessionPool implements AutoCloseable {

    private final DataSource dataSource;

    private final Duration lockWait;

    private final Duration commandTimeout;

    private final LongSupplier nanoTime;

    /** One for each session that is open or being opened. */
    private final Semaphore room;

    /** The sessions that are idle or will come back soon. */
    private final AtomicInteger shared = new AtomicInteger();

    private final IdleSessions idle;

    private final SessionOpener opener;

    private volatile boolean closed;

    SessionPool(
            DataSource dataSource,
            Duration lockWait,
            Duration commandTimeout,
            int most,
            int mostIdle,
            LongSupplier nanoTime) {
        this.dataSource = dataSource;
        this.lockWait = lockWait;
        this.commandTimeout = commandTimeout;
        this.room = new Semaphore(most);
        this.nanoTime = nanoTime;
        this.idle = new IdleSessions(mostIdle, nanoTime);
        this.opener = new SessionOpener(most, this::open);
    }

    /** A session for the calling thread alone, which gives it back or discards it; some room is spared for others. */
    Session take(int spare) throws SQLException {
        Session session = living(idle.poll());
        if (session != null) {
            return session;
        }
        CompletableFuture<?> opening = takeRoom(spare) ? opener.open() : CompletableFuture.completedFuture(null);
        long start = nanoTime.getAsLong();
        while (nanoTime.getAsLong() - start < commandTimeout.toNanos()) {
            session = living(await());
            if (session != null) {
                return session;
            }
            if (opening.isCompletedExceptionally() && shared.get() == 0) {
                throw SessionOpener.failure(opening);
            }
            if (opening.isDone() && takeRoom(spare)) {
                opening = opener.open();
            }
        }
        throw new SQLTransientConnectionException(
                "no connection was free within " + commandTimeout + ": " + shared.get()
                        + " are in use here, and room is for " + room.availablePermits() + " more",
                "08001");
    }

    /** Takes a session back. */
    void giveBack(Session session) {
        add(session);
    }

    /** Takes a session back, unless it was reserved since it had a number for its use: then it comes back later. */
    void giveBack(Session session, int use) {
        if (session.use() == use) {
            add(session);
        }
    }

    /** Takes a session back whose last statement failed, or closes it where that has to be. */
    void giveBackAfter(Session session, SqlFault fault) {
        switch (fault) {
            case CONTENTION, ROW_LOCKED, DUPLICATE, MISSING_TABLE, REFUSED -> giveBack(session);
            case NOT_DONE, NO_ANSWER -> discard(session);
        }
    }

    /** Has the calling thread's session stay with it until it is given back as reserved. */
    void reserve(Session session) {
        session.changeUse();
        shared.decrementAndGet();
    }

    /** Takes a session back that was reserved. */
    void giveBackReserved(Session session) {
        shared.incrementAndGet();
        add(session);
    }

    /** Closes a session that failed, and has the others asked before they are used again. */
    void discard(Session session) {
        idle.suspectAll();
        end(session);
    }

    /**
     * Closes a session that was reserved and failed, even if another thread waits for an answer on it. Ends when that is
     * done: a driver may want to tell the server first, on a new connection.
     */
    CompletableFuture<?> abortReserved(Session session) {
        shared.incrementAndGet();
        return abort(session);
    }

    /** Closes a session as {@link #discard}, even if another thread waits for an answer on it. Ends when that is done. */
    CompletableFuture<?> abort(Session session) {
        idle.suspectAll();
        shared.decrementAndGet();
        return SessionAbort.begin(session, room::release);
    }

    @Override
    public void close() {
        closed = true;
        opener.close();
        for (@Nullable Session session = idle.poll(); session != null; session = idle.poll()) {
            end(session);
        }
    }

    /** Opens a session in room that somebody has taken for it. */
    private void open() throws SQLException {
        try {
            Session session = Session.open(dataSource, lockWait, commandTimeout);
            shared.incrementAndGet();
            add(session);
        } catch (SQLException | RuntimeException ex) {
            room.release();
            throw ex;
        }
    }

    private boolean takeRoom(int spare) {
        if (!room.tryAcquire(spare + 1)) {
            return false;
        }
        room.release(spare);
        return true;
    }

    private void end(Session session) {
        shared.decrementAndGet();
        room.release();
        session.close();
    }

    private @Nullable Session await() throws SQLException {
        try {
            return idle.await();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted while waiting for a connection", "08001", ex);
        }
    }

    private void add(Session session) {
        if (closed || !idle.add(session)) {
            end(session);
        } else if (closed) {
            close();
        }
    }

    private @Nullable Session living(@Nullable Session candidate) {
        for (Session session = candidate; session != null; session = idle.poll()) {
            if (idle.isTrusted(session) || session.isAlive()) {
                return session;
            }
            end(session);
        }
        return null;
    }
}
