package io.leasehold.backend.jdbc;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * SQL work of callers. One who waits for the answer anyway does it on its own thread, which spares two changes of threads;
 * a {@link CallGuard} ends that when it takes too long or the thread is interrupted. All that is not the plain case is
 * left to the threads of a {@link Lane}: callers who do not wait, or are in a transaction that their
 * statements might join, a session that has to be opened or looked at first,
 * work that has to be done again or looked after.
 *
 * <p>No more callers than there is room for have a session at a time, on whatever thread.
 */
final class CallersLane implements AutoCloseable {

    private static final long CLOSING_SECONDS = 2;

    /** The last session is for renewals and other work that nobody waits for. */
    private static final int SPARE = 1;

    private final int size;

    private final SessionPool sessions;

    private final SqlFailures failures;

    private final LongSupplier nanoTime;

    private final BooleanSupplier inTransaction;

    private final Semaphore room;

    private final Lane lane;

    private final CallGuard guard;

    CallersLane(
            int size,
            SessionPool sessions,
            SqlFailures failures,
            LongSupplier nanoTime,
            BooleanSupplier inTransaction) {
        this.size = size;
        this.inTransaction = inTransaction;
        this.sessions = sessions;
        this.failures = failures;
        this.nanoTime = nanoTime;
        this.room = new Semaphore(size);
        this.lane = new Lane("leasehold-jdbc", size, room, SPARE, sessions, failures);
        this.guard = new CallGuard(sessions, nanoTime);
    }

    /**
     * Does work on the calling thread or has it done by another.
     *
     * @param patience how long the calling thread may be held
     * @param what it is, for messages
     * @param work what to do; done again after a roll-back
     * @param afterNoAnswer looks, on another connection, what became of work that was not answered
     */
    <T> CompletableFuture<T> submit(
            Patience patience, Supplier<String> what, SqlWork<T> work, SqlWork<Optional<T>> afterNoAnswer) {
        CompletableFuture<T> answer = null;
        if (!patience.isNone()
                && !inTransaction.getAsBoolean()
                && !Thread.currentThread().isInterrupted()) {
            answer = doHere(patience, what, work, afterNoAnswer);
        }
        return answer == null ? lane.submit(what.get(), work, afterNoAnswer) : answer;
    }

    @Override
    public void close() {
        lane.close();
        try {
            if (room.tryAcquire(size, CLOSING_SECONDS, TimeUnit.SECONDS)) {
                room.release(size);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        guard.close();
    }

    private <T> @Nullable CompletableFuture<T> doHere(
            Patience patience, Supplier<String> what, SqlWork<T> work, SqlWork<Optional<T>> afterNoAnswer) {
        long since = nanoTime.getAsLong();
        try {
            if (!room.tryAcquire() && !room.tryAcquire(patience.longest().toNanos(), TimeUnit.NANOSECONDS)) {
                return CompletableFuture.failedFuture(new BackendFailure(
                        Effect.NOT_DONE,
                        what.get() + " was not begun: all " + size + " connections for callers were in use for "
                                + patience.longest(),
                        null));
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return null;
        }
        try {
            Session session = sessions.takeReady();
            return session == null ? null : with(session, since, patience, what, work, afterNoAnswer);
        } finally {
            room.release();
        }
    }

    private <T> @Nullable CompletableFuture<T> with(
            Session session,
            long since,
            Patience patience,
            Supplier<String> what,
            SqlWork<T> work,
            SqlWork<Optional<T>> afterNoAnswer) {
        if (session.dialect().mindsInterrupts()) {
            sessions.giveBack(session);
            return null;
        }
        CallGuard.Call call = guard.begin(session, patience, since);
        try {
            T result = work.run(session);
            if (call.end()) {
                sessions.giveBack(session);
            }
            return CompletableFuture.completedFuture(result);
        } catch (SQLException ex) {
            return call.end() ? afterFailure(session, what, ex, afterNoAnswer) : ended(patience, what, ex);
        } catch (Throwable ex) {
            if (call.end()) {
                sessions.discard(session);
            }
            return CompletableFuture.failedFuture(ex);
        }
    }

    /** What the guard has ended: an interrupted caller leaves, anybody else is told. */
    private <T> CompletableFuture<T> ended(Patience patience, Supplier<String> what, SQLException ex) {
        if (patience.endsWithInterrupt() && Thread.currentThread().isInterrupted()) {
            return new CompletableFuture<>();
        }
        return CompletableFuture.failedFuture(
                new BackendFailure(Effect.UNKNOWN, what.get() + " was not answered within " + patience.longest(), ex));
    }

    private <T> @Nullable CompletableFuture<T> afterFailure(
            Session session, Supplier<String> what, SQLException ex, SqlWork<Optional<T>> afterNoAnswer) {
        SqlFault fault = SqlFaults.classify(ex, session.dialect());
        sessions.giveBackAfter(session, fault);
        return switch (fault) {
            case CONTENTION -> null;
            case NO_ANSWER -> lane.resolve(what.get(), ex, session.dialect(), afterNoAnswer);
            default -> CompletableFuture.failedFuture(failures.of(what.get(), fault, ex, session.dialect()));
        };
    }
}
