package io.leasehold.jdbc.connection;

import java.sql.SQLException;
import java.time.Duration;

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
