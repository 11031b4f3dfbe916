package io.leasehold.jdbc.connection;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;

/**
 * After how long without a statement the server ends a connection with an open transaction. Rows that the transaction
 * has locked therefore outlive a vanished machine no longer than that. Without the limit, they would stay locked until
 * the operating system of the server gives the connection up, which takes hours.
 *
 * <p>PostgreSQL applies the limit to the millisecond, up to 24.8 days, and has none beyond. The MySQL family applies it
 * to the second, up to a year. H2 has no such setting.
 */
public final class IdleTransactionLimit {

    private static final long LONGEST_SECONDS = 31_536_000;

    private IdleTransactionLimit() {}

    /** Runs work in a transaction with a limit. */
    public static <T> T inTransaction(LockConnection session, Duration limit, SqlWork<T> work) throws SQLException {
        session.begin();
        try {
            set(session, limit);
            T result = work.run(session);
            session.connection().commit();
            end(session);
            return result;
        } catch (SQLException | RuntimeException ex) {
            session.cleanUpAfter(ex, () -> end(session));
            throw ex;
        }
    }

    private static void end(LockConnection session) throws SQLException {
        session.end();
        clear(session);
    }

    /** Sets the limit of the transaction that has begun, before it locks a row or in order to prolong it. */
    public static void set(LockConnection session, Duration limit) throws SQLException {
        set(session, limit, "");
    }

    /**
     * Like the method above, with further settings of the transaction in the same round trip.
     *
     * @param settingsOfPostgres commands that end with a semicolon, for PostgreSQL only
     */
    public static void set(LockConnection session, Duration limit, String settingsOfPostgres) throws SQLException {
        long seconds = Math.min(Math.max(1, (limit.toMillis() + 999) / 1_000), LONGEST_SECONDS);
        switch (session.dialect()) {
            case POSTGRESQL ->
                session.execute(settingsOfPostgres + withoutTransactionTimeout(session)
                        + "SET LOCAL idle_in_transaction_session_timeout = " + inPostgres(limit.toMillis()));
            case MARIADB, MYSQL -> set(session, String.valueOf(seconds));
            case H2 -> {}
        }
    }

    /** Removes the limit after the end of the transaction. Otherwise it would hold for the next one. */
    public static void clear(LockConnection session) throws SQLException {
        switch (session.dialect()) {
            case MARIADB, MYSQL -> set(session, "DEFAULT");
            case POSTGRESQL, H2 -> {}
        }
    }

    /**
     * Sets the limit in the MySQL family. The version tells the server: MySQL's driver names MariaDB as MySQL, and other
     * limits precede {@code wait_timeout} in a transaction there. One that has written nothing has a limit of its own.
     */
    private static void set(LockConnection session, String value) throws SQLException {
        session.execute(
                isMariaDb(session)
                        ? "SET SESSION idle_transaction_timeout = " + value
                                + ", SESSION idle_readonly_transaction_timeout = " + value
                        : "SET SESSION wait_timeout = " + value);
    }

    private static boolean isMariaDb(LockConnection session) throws SQLException {
        return session.dialect() == DatabaseDialect.MARIADB
                || session.connection()
                        .getMetaData()
                        .getDatabaseProductVersion()
                        .toLowerCase(Locale.ROOT)
                        .contains("mariadb");
    }

    /** Zero is no limit. The greatest one would end the transaction earlier than its holder expects. */
    private static long inPostgres(long millis) {
        return millis > Integer.MAX_VALUE ? 0 : Math.max(1, millis);
    }

    /** PostgreSQL 17 and later may limit transactions that are not idle, too. A renewed lock has no such limit. */
    private static String withoutTransactionTimeout(LockConnection session) throws SQLException {
        int version = session.connection().getMetaData().getDatabaseMajorVersion();
        return version >= 17 ? "SET LOCAL transaction_timeout = 0; " : "";
    }
}
