package io.leasehold.jdbc.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A borrowed connection that is used for nothing but locks: autocommit, READ COMMITTED, read-write, with bounded waits. For
 * one thread at a time. What {@link #borrow} changes on a connection of the application is put back before it is closed.
 */
public final class LockConnection implements AutoCloseable {

    private final Connection connection;

    private final DatabaseDialect dialect;

    private final Duration commandTimeout;

    /** In seconds, where no lock wait can be set on the session; otherwise zero. */
    private final int queryTimeout;

    private final Consumer<Connection> evict;

    private final @Nullable Borrowed borrowed;

    private final List<PreparedStatement> statements = new ArrayList<>(2);

    private volatile boolean reserved;

    /** A session on a connection that is set up already. */
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
            @Nullable Borrowed borrowed) {
        this.connection = connection;
        this.dialect = dialect;
        this.commandTimeout = commandTimeout;
        this.queryTimeout = queryTimeout;
        this.evict = evict;
        this.borrowed = borrowed;
    }

    /**
     * Takes a connection from an application's data source, sets it up, and puts it back in order at the end. In PostgreSQL,
     * the settings are those of the transaction alone: a pooler in between may give the session to others after it.
     */
    public static LockConnection borrow(DataSource dataSource, Duration lockWait, Duration commandTimeout)
            throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            DatabaseDialect dialect = DatabaseDialect.of(connection);
            Borrowed borrowed = dialect == DatabaseDialect.POSTGRESQL
                    ? Borrowed.forTransactions(connection, lockWait)
                    : Borrowed.of(connection, dialect);
            connection.setAutoCommit(true);
            if (borrowed.settings() == null) {
                connection.setNetworkTimeout(Runnable::run, SessionSettings.millis(commandTimeout));
            } else {
                SessionSettings.forLocks(dialect, lockWait, commandTimeout).applyTo(connection, dialect);
            }
            return new LockConnection(connection, dialect, commandTimeout, 0, failed -> {}, borrowed);
        } catch (SQLException | RuntimeException ex) {
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

    /** A prepared statement, which is closed with the session. */
    public PreparedStatement prepare(String sql) throws SQLException {
        return prepare(sql, Statement.NO_GENERATED_KEYS);
    }

    /** A prepared statement whose generated keys can be asked for, which is closed with the session. */
    public PreparedStatement prepareForKeys(String sql) throws SQLException {
        return prepare(sql, Statement.RETURN_GENERATED_KEYS);
    }

    /** Runs a statement that has no parameters. */
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

    /** Begins a transaction that lasts until {@link #end()}. */
    public void begin() throws SQLException {
        connection.setAutoCommit(false);
        if (borrowed != null && !borrowed.beginning().isEmpty()) {
            execute(borrowed.beginning());
        }
    }

    /** Rolls the transaction back, if there is one. */
    public void end() throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** Whether a pooler is in between, so that nothing may be set on the session. */
    public boolean isPooled() {
        return queryTimeout > 0;
    }

    /** Has the session outlast the work that it was borrowed for. */
    public void reserve() {
        reserved = true;
    }

    boolean isReserved() {
        return reserved;
    }

    /** Has the driver wait so long for each answer from now on, before it closes the connection. */
    public void waitForAnswers(Duration longest) throws SQLException {
        waitForAnswers(connection, longest);
    }

    public static void waitForAnswers(Connection connection, Duration longest) throws SQLException {
        int millis = SessionSettings.millis(longest);
        if (connection.getNetworkTimeout() != millis) {
            connection.setNetworkTimeout(Runnable::run, millis);
        }
    }

    /** Has the driver wait for answers as long as it did when the session was opened. */
    public void waitForAnswersAsUsual() throws SQLException {
        waitForAnswers(commandTimeout);
    }

    /** Closes a connection that failed; its pool opens another one. */
    public void discard() {
        evict.accept(connection);
        close(connection);
    }

    /** Closes the connection without a word to the database; a thread that waits for an answer on it gets an error. */
    public void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException ex) {
            // it is closed next in any case
        } finally {
            discard();
        }
    }

    /** Whether the database still answers. */
    public boolean isAlive() {
        try {
            return connection.isValid(1);
        } catch (SQLException ex) {
            return false;
        }
    }

    /** Ends the transaction if there is one, puts an application's connection back in order, and closes it. */
    @Override
    public void close() {
        try {
            for (PreparedStatement statement : statements) {
                statement.close();
            }
            end();
            if (borrowed != null) {
                borrowed.putBack(connection, dialect);
            }
        } catch (SQLException | RuntimeException ex) {
            // a connection that cannot be put back in order does not work any more, so it must not be used again
            evict.accept(connection);
        } finally {
            close(connection);
        }
    }

    private PreparedStatement prepare(String sql, int keys) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql, keys);
        statements.add(statement);
        if (queryTimeout > 0) {
            statement.setQueryTimeout(queryTimeout);
        }
        return statement;
    }

    static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException ex) {
            // nothing is left to be done for it
        }
    }

    /**
     * What a connection of an application was like.
     *
     * @param autoCommit whether it was in autocommit mode
     * @param networkTimeout how long the driver waited for an answer, in milliseconds
     * @param settings its other settings; {@code null} if they are left alone
     * @param beginning what sets up a transaction instead of them; may be empty
     */
    private record Borrowed(
            boolean autoCommit,
            int networkTimeout,
            @Nullable SessionSettings settings,
            String beginning) {

        private static Borrowed of(Connection connection, DatabaseDialect dialect) throws SQLException {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            return new Borrowed(
                    autoCommit, connection.getNetworkTimeout(), SessionSettings.of(connection, dialect), "");
        }

        private static Borrowed forTransactions(Connection connection, Duration lockWait) throws SQLException {
            return new Borrowed(
                    connection.getAutoCommit(),
                    connection.getNetworkTimeout(),
                    null,
                    "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE; SET LOCAL lock_timeout = "
                            + DatabaseDialect.POSTGRESQL.lockWait(lockWait));
        }

        private void putBack(Connection connection, DatabaseDialect dialect) throws SQLException {
            if (settings == null) {
                connection.setNetworkTimeout(Runnable::run, networkTimeout);
            } else {
                settings.applyTo(connection, dialect);
            }
            connection.setAutoCommit(autoCommit);
        }
    }
}
