package io.leasehold.backend.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;

/**
 * A connection that is used for nothing but locks, with its statements prepared once: autocommit, READ COMMITTED,
 * read-write, with bounded waits. What it changes on the connection is put back before it is closed, since it may go
 * back to the application's pool. For one thread at a time.
 */
final class Session implements AutoCloseable {

    private final Connection connection;

    private final Dialect dialect;

    private final SessionSettings before;

    private final boolean autoCommitBefore;

    private final Duration commandTimeout;

    private final Map<String, PreparedStatement> statements = new HashMap<>();

    private volatile long lastUsed;

    private int use;

    private Session(
            Connection connection,
            Dialect dialect,
            SessionSettings before,
            boolean autoCommitBefore,
            Duration commandTimeout) {
        this.connection = connection;
        this.dialect = dialect;
        this.before = before;
        this.autoCommitBefore = autoCommitBefore;
        this.commandTimeout = commandTimeout;
    }

    /** Takes a connection from the data source and sets it up. */
    static Session open(DataSource dataSource, Duration lockWait, Duration commandTimeout) throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            Dialect dialect = Dialect.of(connection);
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            SessionSettings before = SessionSettings.of(connection, dialect);
            SessionSettings.forLocks(dialect, lockWait, commandTimeout).applyTo(connection, dialect);
            return new Session(connection, dialect, before, autoCommit, commandTimeout);
        } catch (SQLException | RuntimeException ex) {
            close(connection);
            throw ex;
        }
    }

    Dialect dialect() {
        return dialect;
    }

    Connection connection() {
        return connection;
    }

    /** A statement, prepared when it is first asked for. */
    PreparedStatement prepare(String sql) throws SQLException {
        return prepare(sql, Statement.NO_GENERATED_KEYS);
    }

    /** A statement whose generated keys can be asked for, prepared when it is first asked for. */
    PreparedStatement prepareForKeys(String sql) throws SQLException {
        return prepare(sql, Statement.RETURN_GENERATED_KEYS);
    }

    /** Runs a statement that has no parameters. */
    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The text in the last column of the first row; empty if there is none. */
    String queryForText(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            String text = rows.next() ? rows.getString(rows.getMetaData().getColumnCount()) : null;
            return text == null ? "" : text;
        }
    }

    /** Begins a transaction that lasts until {@link #end()}. */
    void begin() throws SQLException {
        connection.setAutoCommit(false);
    }

    /** Rolls the transaction back, if there is one. */
    void end() throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** A number that changes when the session is put to another use than that it was taken for. */
    int use() {
        return use;
    }

    void changeUse() {
        use++;
    }

    /** When it was last used, by the clock of whom it belongs to. */
    long lastUsed() {
        return lastUsed;
    }

    void usedAt(long nanoTime) {
        lastUsed = nanoTime;
    }

    /** Has the driver wait so long for each answer from now on, before it closes the connection. */
    void waitForAnswers(Duration longest) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, (int)
                Math.min(Integer.MAX_VALUE, Math.max(1, longest.toMillis() + 1)));
    }

    /** Has the driver wait for answers as long as it did when the session was opened. */
    void waitForAnswersAsUsual() throws SQLException {
        waitForAnswers(commandTimeout);
    }

    /** Closes the connection without a word to the database; who waits for an answer on it hears of it. */
    void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException ex) {
            // it is closed next in any case
        } finally {
            close();
        }
    }

    /** Whether the database still answers. */
    boolean isAlive() {
        try {
            return connection.isValid(1);
        } catch (SQLException ex) {
            return false;
        }
    }

    /** Ends what transaction there is, puts the connection's settings back and closes it. */
    @Override
    public void close() {
        try {
            if (!connection.isClosed()) {
                restore();
            }
        } catch (SQLException | RuntimeException ex) {
            // a connection that cannot be put back in order does not work any more, so its pool drops it
        } finally {
            close(connection);
        }
    }

    private void restore() throws SQLException {
        end();
        before.applyTo(connection, dialect);
        connection.setAutoCommit(autoCommitBefore);
    }

    private PreparedStatement prepare(String sql, int keys) throws SQLException {
        PreparedStatement known = statements.get(sql);
        if (known == null) {
            known = connection.prepareStatement(sql, keys);
            statements.put(sql, known);
        }
        return known;
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException ex) {
            // nothing is left to be done for it
        }
    }
}
