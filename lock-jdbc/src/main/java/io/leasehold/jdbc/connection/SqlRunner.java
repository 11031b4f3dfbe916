package io.leasehold.jdbc.connection;

import io.leasehold.jdbc.connection.JdbcExecutor.Urgency;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLWarning;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs one piece of work on a connection, which is closed afterwards unless the work reserves it.
 *
 * <ol>
 *   <li>Opening a connection is retried for a limited time, unless the database refuses connections.
 *   <li>A statement that the database rolled back because of a conflict with another transaction is retried a few
 *       times, each time after a pause, unless its caller has given up.
 *   <li>The outcome of work that was not answered is determined on another connection.
 * </ol>
 */
public final class SqlRunner {

    private static final int ATTEMPTS = 8;

    /** Shorter by two attempts than the ten seconds of the engine, which does not know why there is no connection. */
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(9);

    private static final long FIRST_PAUSE_NANOS = 2_000_000;

    private final LongAdder notAnswered = new LongAdder();

    private final LockConnections sessions;

    private final SqlErrorTranslator failures;

    private final Duration connectionWait;

    private final LongSupplier nanoTime;

    SqlRunner(LockConnections sessions, SqlErrorTranslator failures, Duration connectionWait, LongSupplier nanoTime) {
        this.sessions = sessions;
        this.failures = failures;
        this.connectionWait = connectionWait;
        this.nanoTime = nanoTime;
    }

    /** Runs a task; empty if its caller has given up. */
    <T> Optional<T> run(Task<T> task, Caller caller) throws SQLException {
        for (int attempt = 1; caller.isWaiting(); attempt++) {
            LockConnection session = open(task, caller);
            if (session == null) {
                return Optional.empty();
            }
            // From here on, the caller cannot count the work as "not done". A retry needs no second decision: the work
            // was sent before.
            if (attempt == 1 && !caller.begin()) {
                session.close();
                return Optional.empty();
            }
            try {
                return Optional.of(carryOut(task.work(), session));
            } catch (SQLException ex) {
                SqlError fault = SqlError.classify(ex, session.dialect());
                if (fault == SqlError.NO_ANSWER) {
                    notAnswered.increment();
                    return caller.isWaiting()
                            ? Optional.of(outcomeAfter(ex, task, session.dialect()))
                            : Optional.empty();
                }
                if (fault != SqlError.CONTENTION || attempt == ATTEMPTS) {
                    throw failures.of(task.what(), fault, ex, session.dialect());
                }
            }
            pause(attempt);
        }
        return Optional.empty();
    }

    /** How much work was sent and not answered so far. */
    long notAnswered() {
        return notAnswered.sum();
    }

    /**
     * Pauses before a retry, so that a conflicting transaction can finish. The longest pause grows with each attempt.
     */
    public static void pause(int attempt) {
        long most = FIRST_PAUSE_NANOS << Math.min(attempt, 6);
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most) + 1);
    }

    /** Runs work on a connection and then closes it, so that a caller's next operation finds an idle one. */
    private static <R> R carryOut(SqlWork<R> work, LockConnection session) throws SQLException {
        try {
            R result = work.run(session);
            SQLWarning warning = session.unconfirmedCommit();
            if (warning != null) {
                throw new BackendFailure(
                        Effect.UNKNOWN, "the database did not confirm a statement: " + warning.getMessage(), warning);
            }
            if (!session.isReserved()) {
                session.close();
            }
            return result;
        } catch (SQLException ex) {
            switch (SqlError.classify(ex, session.dialect())) {
                case CONTENTION, ROW_LOCKED, DUPLICATE, MISSING_TABLE, MISSING_COLUMN, REFUSED -> session.close();
                case NOT_DONE, NO_ANSWER -> session.discard();
            }
            throw ex;
        } catch (BackendFailure ex) {
            session.close();
            throw ex;
        } catch (Throwable ex) {
            session.discard();
            throw ex;
        }
    }

    private <T> T outcomeAfter(SQLException cause, Task<T> task, DatabaseDialect dialect) {
        BackendFailure unknown = failures.of(task.what(), SqlError.NO_ANSWER, cause, dialect);
        try {
            return carryOut(task.afterNoAnswer(), sessions.open()).orElseThrow(() -> unknown);
        } catch (SQLException ex) {
            unknown.addSuppressed(ex);
            throw unknown;
        }
    }

    /** Opens a connection; {@code null} if the caller has given up meanwhile. */
    private @Nullable LockConnection open(Task<?> task, Caller caller) {
        boolean connecting = task.urgency() == Urgency.CONNECTING;
        Duration longest = connecting ? LONGEST_CONNECT : connectionWait;
        long start = nanoTime.getAsLong();
        for (int attempt = 1; ; attempt++) {
            try {
                return sessions.open();
            } catch (SQLTransientConnectionException ex) {
                if (!caller.isWaiting()) {
                    return null;
                }
                ConnectionError error = new ConnectionError(ex);
                if (error.isRefusal()) {
                    throw task.refused(error);
                }
                if (error.isOfUnknownHost()
                        || connecting && (error.isOfClosedPort() || error.isOfTls())
                        || nanoTime.getAsLong() - start > longest.toNanos()) {
                    throw task.notBegun("no connection to the database: " + error.reason(), ex);
                }
                pause(attempt);
            } catch (SQLException ex) {
                throw task.notBegun("no connection to the database: " + ex.getMessage(), ex);
            }
        }
    }

    /** The caller of a task. */
    interface Caller {

        /** Whether the caller still wants the result. */
        boolean isWaiting();

        /** Called before the work is sent; {@code false} if the caller has counted it as not done. */
        boolean begin();
    }

    /**
     * A piece of work.
     *
     * @param what names the work in messages
     * @param work what to do; repeated after a rollback
     * @param afterNoAnswer determines the outcome of work that was not answered; empty if it cannot be determined
     */
    record Task<T>(Urgency urgency, String what, SqlWork<T> work, SqlWork<Optional<T>> afterNoAnswer) {

        BackendFailure notBegun(String why, @Nullable Throwable cause) {
            return new BackendFailure(Effect.NOT_DONE, what + " was not begun: " + why, cause);
        }

        /**
         * An acquisition fails immediately if the database refuses connections. Renewals and releases are retried,
         * because the password may be changed while locks are held.
         */
        private BackendFailure refused(ConnectionError error) {
            boolean ofAcquisition = urgency == Urgency.SOON || urgency == Urgency.CONNECTING;
            return new BackendFailure(
                    ofAcquisition ? Effect.REFUSED : Effect.NOT_DONE,
                    what + " was not begun: the database refuses connections: " + error.reason() + ". "
                            + error.nextStep(),
                    error.ex());
        }
    }
}
