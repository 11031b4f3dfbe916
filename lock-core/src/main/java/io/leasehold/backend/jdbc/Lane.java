package io.leasehold.backend.jdbc;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A few threads that do SQL work, each with a session at a time. They are never a caller's thread, so no transaction of a
 * caller is ever joined. Statements that the database rolled back because another transaction was in their way are tried
 * again after a pause, a few times.
 */
final class Lane implements AutoCloseable {

    private static final int QUEUE = 10_000;

    private static final int ATTEMPTS = 8;

    private static final long FIRST_PAUSE_NANOS = 2_000_000;

    private final Semaphore room;

    private final int spare;

    private final SessionPool sessions;

    private final ThreadPoolExecutor threads;

    private final SqlFailures failures;

    /** A lane whose threads all have room for a session. */
    Lane(String name, int size, SessionPool sessions, SqlFailures failures) {
        this(name, size, new Semaphore(size), 0, sessions, failures);
    }

    /** A lane that shares the room for its sessions with others, and never opens the last few, which are spare. */
    Lane(String name, int size, Semaphore room, int spare, SessionPool sessions, SqlFailures failures) {
        this.room = room;
        this.spare = spare;
        this.sessions = sessions;
        this.failures = failures;
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(size, size, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE), work -> {
            Thread thread = new Thread(work, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        threads.allowCoreThreadTimeOut(true);
    }

    <T> CompletableFuture<T> submit(String what, SqlWork<T> work) {
        return submit(what, work, session -> Optional.empty());
    }

    /**
     * Has work done by the next free thread.
     *
     * @param what it is, for messages
     * @param work what to do; done again after a roll-back
     * @param afterNoAnswer looks, on another connection, what became of work that was not answered; empty if that
     *     cannot be told
     */
    <T> CompletableFuture<T> submit(String what, SqlWork<T> work, SqlWork<Optional<T>> afterNoAnswer) {
        return submit(what, Effect.NOT_DONE, () -> attempt(what, work, afterNoAnswer));
    }

    /** Has the next free thread look what became of work that was not answered; the outcome is unknown if it cannot. */
    <T> CompletableFuture<T> resolve(
            String what, SQLException cause, Dialect dialect, SqlWork<Optional<T>> afterNoAnswer) {
        return submit(what, Effect.UNKNOWN, () -> lookAfter(what, cause, dialect, afterNoAnswer));
    }

    /** Lets what is queued finish for a moment; nothing new begins. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(2, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException ex) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private <T> CompletableFuture<T> submit(String what, Effect ifRejected, Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                if (!answer.isDone()) {
                    answerWith(answer, work);
                }
            });
        } catch (RejectedExecutionException ex) {
            String why = threads.isShutdown() ? "the backend is closed" : QUEUE + " operations are waiting already";
            answer.completeExceptionally(new BackendFailure(ifRejected, what + " was not begun: " + why, ex));
        }
        return answer;
    }

    private <T> void answerWith(CompletableFuture<T> answer, Supplier<T> work) {
        room.acquireUninterruptibly();
        try {
            answer.complete(work.get());
        } catch (Throwable ex) {
            answer.completeExceptionally(ex);
        } finally {
            room.release();
        }
    }

    private <T> T attempt(String what, SqlWork<T> work, SqlWork<Optional<T>> afterNoAnswer) {
        for (int attempt = 1; ; attempt++) {
            Session session = open(what);
            try {
                int use = session.use();
                T result = work.run(session);
                sessions.giveBack(session, use);
                return result;
            } catch (SQLException ex) {
                SqlFault fault = SqlFaults.classify(ex, session.dialect());
                sessions.giveBackAfter(session, fault);
                if (fault == SqlFault.CONTENTION && attempt < ATTEMPTS) {
                    pause(attempt);
                    continue;
                }
                if (fault == SqlFault.NO_ANSWER) {
                    return lookAfter(what, ex, session.dialect(), afterNoAnswer);
                }
                throw failures.of(what, fault, ex, session.dialect());
            } catch (Throwable ex) {
                sessions.discard(session);
                throw ex;
            }
        }
    }

    private <T> T lookAfter(String what, SQLException cause, Dialect dialect, SqlWork<Optional<T>> afterNoAnswer) {
        BackendFailure unknown = failures.of(what, SqlFault.NO_ANSWER, cause, dialect);
        Session session = null;
        try {
            session = sessions.take(spare);
            Optional<T> known = afterNoAnswer.run(session);
            sessions.giveBack(session);
            if (known.isPresent()) {
                return known.get();
            }
        } catch (SQLException ex) {
            unknown.addSuppressed(ex);
            if (session != null) {
                sessions.discard(session);
            }
        }
        throw unknown;
    }

    private Session open(String what) {
        try {
            return sessions.take(spare);
        } catch (SQLException ex) {
            throw new BackendFailure(
                    Effect.NOT_DONE, what + " was not begun: no connection to the database: " + ex.getMessage(), ex);
        }
    }

    /** Waits for a moment, which is longer with each attempt, so that somebody else can get out of the way. */
    static void pause(int attempt) {
        long most = FIRST_PAUSE_NANOS << Math.min(attempt, 6);
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most) + 1);
    }
}
