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

        /**
         * How much longer than the lock wait a statement may take. {@code lock_timeout} limits each wait of a statement
         * separately: for a session that waits before it, and then for the transaction of this session. The time in
         * addition is for a statement that is slow for another reason. It also tells the limit from an administrator, if
         * a statement was cancelled earlier.
         */
        private static final Duration AFTER_LOCK_WAIT = Duration.ofSeconds(1);

        private final boolean autoCommit;

        private final int networkTimeout;

        private final Duration lockWait;

        /** The settings that {@link #begin} replaced. */
        private String lockTimeout = "0";

        private String statementTimeout = "0";

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
                statement.execute("SHOW lock_timeout; SHOW statement_timeout;"
                        + " SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE;"
                        + " SET LOCAL lock_timeout = " + DatabaseDialect.POSTGRESQL.lockWait(lockWait)
                        + limitOfStatements());
                lockTimeout = text(statement);
                statement.getMoreResults();
                statementTimeout = text(statement);
            }
        }

        /** A shorter limit of the application stays. A lock wait of zero waits for no row. */
        private String limitOfStatements() {
            return lockWait.isZero()
                    ? ""
                    : "; SELECT set_config('statement_timeout', least("
                            + DatabaseDialect.POSTGRESQL.lockWait(lockWait.plus(AFTER_LOCK_WAIT))
                            + ", nullif(extract(epoch FROM current_setting('statement_timeout')::interval) * 1000, 0)"
                            + ")::bigint::text, true)";
        }

        private static String text(Statement statement) throws SQLException {
            try (ResultSet rows = statement.getResultSet()) {
                rows.next();
                return rows.getString(1);
            }
        }

        @Override
        public void restoreWaits(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET LOCAL lock_timeout = '" + lockTimeout + "'; SET LOCAL statement_timeout = '"
                        + statementTimeout + "'");
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
