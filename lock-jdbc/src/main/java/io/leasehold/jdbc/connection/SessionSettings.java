package io.leasehold.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * The settings of a connection that locks depend on, apart from the driver's own view of autocommit.
 *
 * @param readOnly whether the connection is read-only
 * @param isolation the transaction isolation, one of the constants of {@link Connection}
 * @param networkTimeout how long the driver waits for an answer, in milliseconds
 * @param lockWait the statement that sets how long the session waits for locked rows and tables, and in the MySQL family
 *     how many rows it reads; the one for locks also switches autocommit on there
 */
record SessionSettings(boolean readOnly, int isolation, int networkTimeout, String lockWait) {

    static SessionSettings of(Connection connection, DatabaseDialect dialect) throws SQLException {
        String lockWait;
        try (Statement statement = connection.createStatement();
                var rows = statement.executeQuery(dialect.lockWaitQuery())) {
            rows.next();
            lockWait = rows.getString(1);
        }
        // After the result is closed: a driver that streams results executes nothing before that.
        return new SessionSettings(
                connection.isReadOnly(),
                connection.getTransactionIsolation(),
                connection.getNetworkTimeout(),
                lockWait);
    }

    static SessionSettings forLocks(DatabaseDialect dialect, Duration lockWait, Duration commandTimeout) {
        return new SessionSettings(
                false,
                Connection.TRANSACTION_READ_COMMITTED,
                millis(commandTimeout),
                dialect.lockWaitCommand(lockWait));
    }

    /** A duration in milliseconds, as drivers expect it; at least 1, since zero means no limit. */
    static int millis(Duration time) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, time.toMillis()));
    }

    /** Applies these settings to a connection, which must be in autocommit mode. */
    void applyTo(Connection connection) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, networkTimeout);
        connection.setReadOnly(readOnly);
        connection.setTransactionIsolation(isolation);
        try (Statement statement = connection.createStatement()) {
            statement.execute(lockWait);
        }
    }
}
