package io.leasehold.jdbc.connection;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** The settings that an application's connection had before it was set up for locks. */
sealed interface BorrowedSettings permits BorrowedSettings.OfSession, BorrowedSettings.OfTransactions {

    /** Sets a connection up for locks, in autocommit mode. */
    static BorrowedSettings setUp(
            Connection connection, DatabaseDialect dialect, Duration lockWait, Duration commandTimeout)
            throws SQLException {
        return dialect == DatabaseDialect.POSTGRESQL
                ? OfTransactions.setUp(connection, lockWait, commandTimeout)
                : OfSession.setUp(connection, dialect, lockWait, commandTimeout);
    }

    /** Sets up a transaction, which has just begun. */
    void begin(Connection connection) throws SQLException;

    /** Restores how long the connection waits for locked rows and for answers. */
    void restoreWaits(Connection connection) throws SQLException;

    /** Restores all settings. The connection must be in autocommit mode. */
    void restore(Connection connection) throws SQLException;

    /** Settings that were replaced for the whole session. */
    record OfSession(boolean autoCommit, SessionSettings settings) implements BorrowedSettings {

        private static OfSession setUp(
                Connection connection, DatabaseDialect dialect, Duration lockWait, Duration commandTimeout)
                throws SQLException {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            OfSession before = new OfSession(autoCommit, SessionSettings.of(connection, dialect));
            SessionSettings.forLocks(dialect, lockWait, commandTimeout).applyTo(connection);
            return before;
        }

        @Override
        public void begin(Connection connection) {
            // the session has the settings already
        }

        @Override
        public void restoreWaits(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(settings.lockWait());
            }
            connection.setNetworkTimeout(Runnable::run, settings.networkTimeout());
        }

        @Override
        public void restore(Connection connection) throws SQLException {
            settings.applyTo(connection);
            connection.setAutoCommit(autoCommit);
        }
    }

    /**
     * Settings of PostgreSQL that are replaced in each transaction only, because a pooler in between may pass the
     * session to other clients after it.
     */
    final class OfTransactions implements BorrowedSettings {

        private final boolean autoCommit;

        private final int networkTimeout;

        private final Duration lockWait;

        /** The setting that {@link #begin} replaced. */
        private String lockTimeout = "0";

        private OfTransactions(boolean autoCommit, int networkTimeout, Duration lockWait) {
            this.autoCommit = autoCommit;
            this.networkTimeout = networkTimeout;
            this.lockWait = lockWait;
        }

        private static OfTransactions setUp(Connection connection, Duration lockWait, Duration commandTimeout)
                throws SQLException {
            OfTransactions before =
                    new OfTransactions(connection.getAutoCommit(), connection.getNetworkTimeout(), lockWait);
            connection.setAutoCommit(true);
            connection.setNetworkTimeout(Runnable::run, SessionSettings.millis(commandTimeout));
            return before;
        }

        @Override
        public void begin(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SHOW lock_timeout; SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE;"
                        + " SET LOCAL lock_timeout = " + DatabaseDialect.POSTGRESQL.lockWait(lockWait));
                try (ResultSet rows = statement.getResultSet()) {
                    rows.next();
                    lockTimeout = rows.getString(1);
                }
            }
        }

        @Override
        public void restoreWaits(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET LOCAL lock_timeout = '" + lockTimeout + "'");
            }
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
        }

        @Override
        public void restore(Connection connection) throws SQLException {
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
            connection.setAutoCommit(autoCommit);
        }
    }
}
