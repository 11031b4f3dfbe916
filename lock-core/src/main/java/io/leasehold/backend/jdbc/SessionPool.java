package io.leasehold.backend.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that are kept open, up to a number. One that has not been used for a second is asked whether it still lives,
 * and so is every one after another has failed; a dead one is replaced before anything is sent.
 *
 * <p>Who finds none idle has one opened, in the background, and takes what comes first, that one or another that comes
 * back: the application's pool may have nothing to give before those who wait for a lock here have it, and a driver may
 * wait for a server that does not answer for longer than anybody cares.
 */
final class SessionPool implements AutoCloseable {

    private static final long TRUSTED_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long LOOK_MILLIS = 20;

    private final DataSource dataSource;

    private final Duration lockWait;

    private final Duration commandTimeout;

    private final LongSupplier nanoTime;

    private final int mostIdle;

    /** One for each session that is open or being opened. */
    private final Semaphore room;

    /** The sessions that are idle or will come back soon. */
    private final AtomicInteger shared = new AtomicInteger();

    private final BlockingDeque<Session> idle = new LinkedBlockingDeque<>();

    private final SessionOpener opener;

    private volatile long suspectBefore;

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
        this.mostIdle = mostIdle;
        this.nanoTime = nanoTime;
        this.suspectBefore = nanoTime.getAsLong();
        this.opener = new SessionOpener(most, this::open);
    }

    /** A session for the calling thread alone, which gives it back or discards it. */
    Session take() throws SQLException {
        Session session = living(idle.pollFirst());
        if (session != null) {
            return session;
        }
        CompletableFuture<?> opening = room.tryAcquire() ? opener.open() : CompletableFuture.completedFuture(null);
        long start = nanoTime.getAsLong();
        while (nanoTime.getAsLong() - start < commandTimeout.toNanos()) {
            session = living(poll());
            if (session != null) {
                return session;
            }
            if (opening.isCompletedExceptionally() && shared.get() == 0) {
                throw failure(opening);
            }
            if (opening.isDone() && room.tryAcquire()) {
                opening = opener.open();
            }
        }
        throw new SQLTransientConnectionException(
                "no connection was free within " + commandTimeout + ": " + shared.get()
                        + " are in use here, and room is for " + room.availablePermits() + " more",
                "08001");
    }

    /** A session as {@link #take}, but only one that is there and need not be asked whether it lives. */
    @Nullable
    Session takeReady() {
        Session session = idle.pollFirst();
        if (session == null || isTrusted(session)) {
            return session;
        }
        idle.addFirst(session);
        return null;
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
        suspectBefore = nanoTime.getAsLong();
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
        suspectBefore = nanoTime.getAsLong();
        shared.decrementAndGet();
        CompletableFuture<?> done = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    session.abort();
                    room.release();
                    done.complete(null);
                },
                "leasehold-rows-abort");
        thread.setDaemon(true);
        thread.start();
        return done;
    }

    @Override
    public void close() {
        closed = true;
        opener.close();
        for (@Nullable Session session = idle.pollFirst(); session != null; session = idle.pollFirst()) {
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

    private static SQLException failure(CompletableFuture<?> opening) {
        Throwable cause = opening.handle((done, failure) -> failure).join();
        if (cause instanceof RuntimeException ex) {
            throw ex;
        }
        return cause instanceof SQLException ex ? ex : new SQLException("no connection could be opened", cause);
    }

    private void end(Session session) {
        shared.decrementAndGet();
        room.release();
        session.close();
    }

    private @Nullable Session poll() throws SQLException {
        try {
            return idle.pollFirst(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted while waiting for a connection", "08001", ex);
        }
    }

    private void add(Session session) {
        if (closed || idle.size() >= mostIdle) {
            end(session);
            return;
        }
        session.usedAt(nanoTime.getAsLong());
        idle.addFirst(session);
        if (closed) {
            close();
        }
    }

    private @Nullable Session living(@Nullable Session candidate) {
        for (Session session = candidate; session != null; session = idle.pollFirst()) {
            if (isTrusted(session) || session.isAlive()) {
                return session;
            }
            end(session);
        }
        return null;
    }

    private boolean isTrusted(Session session) {
        return session.lastUsed() - suspectBefore > 0 && nanoTime.getAsLong() - session.lastUsed() < TRUSTED_NANOS;
    }
}
