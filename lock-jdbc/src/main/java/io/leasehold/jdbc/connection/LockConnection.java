package io.leasehold.jdbc.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A borrowed connection that is used only for locks: autocommit, READ COMMITTED, read-write, with bounded waits. One
 * thread uses it at a time. Settings that {@link #borrow} changes on a connection of the application are restored
 * before it is closed.
 */
public final class LockConnection implements AutoCloseable {

    private final Connection connection;

    private final DatabaseDialect dialect;

    private final Duration commandTimeout;

    /** In seconds if no lock wait can be set on the session; otherwise zero. */
    private final int queryTimeout;

    private final Consumer<Connection> evict;

    private final @Nullable BorrowedSettings borrowed;

    private final List<PreparedStatement> statements = new ArrayList<>(2);

    private final AtomicBoolean discarded = new AtomicBoolean();

    private volatile boolean reserved;

    /** Wraps a connection that is already set up. */
    LockConnection(
            Connection connection,
            DatabaseDialect dialect,
            Duration commandTimeout,
            int queryTimeout,
            Consumer<Connection> evict) {
        this(connection, dialect, commandTimeout, queryTimeout, evict, null);
    }

    private LockConnection(
            Connection connection,
            DatabaseDialect dialect,
            Duration commandTimeout,
            int queryTimeout,
            Consumer<Connection> evict,
            @Nullable BorrowedSettings borrowed) {
        this.connection = connection;
        this.dialect = dialect;
        this.commandTimeout = commandTimeout;
        this.queryTimeout = queryTimeout;
        this.evict = evict;
        this.borrowed = borrowed;
    }

    /**
     * Borrows a connection from an application's data source and sets it up; {@link #close} restores its settings.
     */
    public static LockConnection borrow(DataSource dataSource, Duration lockWait, Duration commandTimeout)
            throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            DatabaseDialect dialect = DatabaseDialect.of(connection);
            BorrowedSettings borrowed = BorrowedSettings.setUp(connection, dialect, lockWait, commandTimeout);
            return new LockConnection(
                    connection,
                    dialect,
                    commandTimeout,
                    0,
                    failed -> LockConnections.evict(dataSource, failed),
                    borrowed);
        } catch (Throwable ex) {
            // some of its settings may have been changed already
            LockConnections.evict(dataSource, connection);
            close(connection);
            throw ex;
        }
    }

    public DatabaseDialect dialect() {
        return dialect;
    }

    public Connection connection() {
        return connection;
    }

    /** A prepared statement, which is closed with this connection. */
    public PreparedStatement prepare(String sql) throws SQLException {
        return prepare(sql, Statement.NO_GENERATED_KEYS);
    }

    /** A prepared statement that returns generated keys, and is closed with this connection. */
    public PreparedStatement prepareForKeys(String sql) throws SQLException {
        return prepare(sql, Statement.RETURN_GENERATED_KEYS);
    }

    /** Runs a statement without parameters. */
    public void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The text in the last column of the first row; empty if there is none. */
    public String queryForText(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            String text = rows.next() ? rows.getString(rows.getMetaData().getColumnCount()) : null;
            return text == null ? "" : text;
        }
    }

    /** Begins a transaction, which lasts until {@link #end()}. */
    public void begin() throws SQLException {
        connection.setAutoCommit(false);
        if (borrowed != null) {
            borrowed.begin(connection);
        }
    }

    /** Restores how long a borrowed connection waits for locked rows and for answers to the application's settings. */
    public void waitAsBorrowed() throws SQLException {
        Objects.requireNonNull(borrowed).restoreWaits(connection);
    }

    /** Commits the transaction. */
    public void commit() throws SQLException {
        connection.commit();
        connection.setAutoCommit(true);
    }

    /** Rolls the transaction back, if there is one. */
    public void end() throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** Whether a pooler is in between, so that no session setting may be changed. */
    public boolean isPooled() {
        return queryTimeout > 0;
    }

    /** The warning that a commit is not confirmed by a standby, see {@link UnconfirmedCommit}. */
    @Nullable
    SQLWarning unconfirmedCommit() throws SQLException {
        if (dialect != DatabaseDialect.POSTGRESQL) {
            return null;
        }
        for (PreparedStatement statement : statements) {
            SQLWarning warning = UnconfirmedCommit.in(statement.getWarnings());
            if (warning != null) {
                return warning;
            }
        }
        // the commit of a transaction of several statements; a pool may keep the warning
        SQLWarning warning = UnconfirmedCommit.in(connection.getWarnings());
        if (warning != null) {
            connection.clearWarnings();
        }
        return warning;
    }

    /** Keeps the connection open beyond the work for which it was borrowed. */
    public void reserve() {
        reserved = true;
    }

    boolean isReserved() {
        return reserved;
    }

    /** Sets how long the driver waits for each answer from now on before it closes the connection. */
    public void waitForAnswers(Duration longest) throws SQLException {
        waitForAnswers(connection, longest);
    }

    public static void waitForAnswers(Connection connection, Duration longest) throws SQLException {
        int millis = SessionSettings.millis(longest);
        if (connection.getNetworkTimeout() != millis) {
            connection.setNetworkTimeout(Runnable::run, millis);
        }
    }

    /** Restores the time for which the driver waits for answers to that of a newly borrowed connection. */
    public void waitForAnswersAsUsual() throws SQLException {
        waitForAnswers(commandTimeout);
    }

    /**
     * Cleans up after a failure, which a failure of the clean-up does not replace. The connection is not used again in
     * that case, because it may still be in a transaction or have a setting of one.
     */
    public void cleanUpAfter(Exception failure, CleanUp cleanUp) {
        try {
            cleanUp.run();
        } catch (SQLException | RuntimeException ex) {
            failure.addSuppressed(ex);
            discard();
        }
    }

    /**
     * Closes a failed connection; its pool opens another one. Has no effect if another thread has discarded it, because
     * the pool logs a warning about a connection that two threads evict at the same time.
     */
    public void discard() {
        if (discarded.compareAndSet(false, true)) {
            evict.accept(connection);
            close(connection);
        }
    }

    /**
     * Closes the connection without sending anything to the database. A thread that waits for an answer on it gets an
     * error.
     */
    public void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException ex) {
            // The connection is closed next in any case.
        } finally {
            discard();
        }
    }

    /** Whether the database still answers on this connection. */
    public boolean isAlive() {
        try {
            return connection.isValid(1);
        } catch (SQLException ex) {
            return false;
        }
    }

    /** Ends the transaction if there is one, restores the settings of an application's connection, and closes it. */
    @Override
    public void close() {
        try {
            for (PreparedStatement statement : statements) {
                statement.close();
            }
            end();
            if (borrowed != null) {
                borrowed.restore(connection);
            }
        } catch (SQLException | RuntimeException ex) {
            // A connection whose settings cannot be restored is broken and must not be used again.
            evict.accept(connection);
        } catch (Error ex) {
            evict.accept(connection);
            throw ex;
        } finally {
            close(connection);
        }
    }

    private PreparedStatement prepare(String sql, int keys) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql, keys);
        statements.add(statement);
        // MySQL's driver may have a limit in its URL; a lease whose row is not read would count as lost
        statement.setMaxRows(0);
        if (queryTimeout > 0) {
            statement.setQueryTimeout(queryTimeout);
        }
        return statement;
    }

    static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException ex) {
            // The connection is not used any more; there is nothing left to do.
        }
    }

    /** Statements that end what others have begun. */
    public interface CleanUp {

        void run() throws SQLException;
    }
}
