package io.leasehold.jdbc.connection;

import java.sql.SQLException;
import java.time.Duration;

/**
 * After how long without a statement the server ends a connection with an open transaction. Rows that the transaction
 * has locked therefore outlive a vanished machine no longer than that. Without the limit, they would stay locked until
 * the operating system of the server gives the connection up, which takes hours.
 *
 * <p>PostgreSQL applies the limit to the millisecond and the MySQL family to the second; H2 has no such setting.
 */
public final class IdleTransactionLimit {

    private static final long LONGEST_SECONDS = 31_536_000;

    private IdleTransactionLimit() {}

    /** Sets the limit of the transaction that has begun, before it locks a row or in order to prolong it. */
    public static void set(LockConnection session, Duration limit) throws SQLException {
        long seconds = Math.min(Math.max(1, (limit.toMillis() + 999) / 1_000), LONGEST_SECONDS);
        switch (session.dialect()) {
            case POSTGRESQL ->
                session.execute(withoutTransactionTimeout(session) + "SET LOCAL idle_in_transaction_session_timeout = "
                        + Math.max(1, Math.min(limit.toMillis(), Integer.MAX_VALUE)));
            case MARIADB ->
                // a transaction that has written nothing has a setting of its own
                session.execute("SET SESSION idle_transaction_timeout = " + seconds
                        + ", SESSION idle_readonly_transaction_timeout = " + seconds);
            case MYSQL -> session.execute("SET SESSION wait_timeout = " + seconds);
            case H2 -> {}
        }
    }

    /** Removes the limit after the end of the transaction. Otherwise it would hold for the next one. */
    public static void clear(LockConnection session) throws SQLException {
        switch (session.dialect()) {
            case MARIADB ->
                session.execute("SET SESSION idle_transaction_timeout = DEFAULT,"
                        + " SESSION idle_readonly_transaction_timeout = DEFAULT");
            case MYSQL -> session.execute("SET SESSION wait_timeout = DEFAULT");
            case POSTGRESQL, H2 -> {}
        }
    }

    /** PostgreSQL 17 and later may limit transactions that are not idle, too. A renewed lock has no such limit. */
    private static String withoutTransactionTimeout(LockConnection session) throws SQLException {
        int version = session.connection().getMetaData().getDatabaseMajorVersion();
        return version >= 17 ? "SET LOCAL transaction_timeout = 0; " : "";
    }
}
