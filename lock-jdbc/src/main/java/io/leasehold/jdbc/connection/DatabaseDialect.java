package io.leasehold.jdbc.connection;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;

/**
 * The differences between databases, apart from the lease statements themselves.
 *
 * <p>The time is always that of the database, in microseconds since 1970, from an expression that does not depend on
 * the session's time zone. In the MySQL family it is the time at which the statement began. {@code SYSDATE} would be
 * read later, but it has to be converted from local time, which is ambiguous for an hour each autumn. An earlier time
 * is safe for a new lease, since the holder counts it from before the statement was sent. A renewal may
 * find a newer one of the same lease, and does not shorten it.
 *
 * <p>PostgreSQL's {@code date_part} returns a double. The microseconds of this century need 51 of its 53 bits, so none
 * is lost. {@code EXTRACT} returns a decimal number, which takes longer than the rest of the expression.
 */
public enum DatabaseDialect {
    POSTGRESQL(
            "postgresql",
            "(date_part('epoch', clock_timestamp()) * 1000000)::bigint",
            "SELECT format('SET lock_timeout = %L', current_setting('lock_timeout'))",
            "SET lock_timeout = %s") {
        @Override
        long lockWait(Duration wait) {
            return wholeMillis(wait);
        }
    },

    MYSQL("mysql", DatabaseDialect.MYSQL_NOW, DatabaseDialect.MYSQL_LOCK_WAIT, DatabaseDialect.MYSQL_SET_LOCK_WAIT),

    MARIADB("mysql", DatabaseDialect.MYSQL_NOW, DatabaseDialect.MYSQL_LOCK_WAIT, DatabaseDialect.MYSQL_SET_LOCK_WAIT),

    H2(
            "h2",
            "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(6)) * 1000000 AS BIGINT)",
            "SELECT 'SET LOCK_TIMEOUT ' || LOCK_TIMEOUT()",
            "SET LOCK_TIMEOUT %s") {
        @Override
        long lockWait(Duration wait) {
            return wholeMillis(wait);
        }
    };

    private static final String MYSQL_NOW = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";

    private static final String MYSQL_LOCK_WAIT =
            "SELECT CONCAT('SET SESSION innodb_lock_wait_timeout = ', @@SESSION.innodb_lock_wait_timeout,"
                    + " ', SESSION lock_wait_timeout = ', @@SESSION.lock_wait_timeout,"
                    + " ', SESSION sql_select_limit = ', @@SESSION.sql_select_limit)";

    /**
     * The second setting limits waits for a table that another session has locked. A session would wait for a day or a
     * year, also after its client has closed the connection. In PostgreSQL the lock wait includes tables. The third
     * setting removes a limit of rows: a lease whose row is not read would count as lost. The last one is for a driver that
     * trusts its own view of a session whose variables switch autocommit off: nothing would be committed.
     */
    private static final String MYSQL_SET_LOCK_WAIT =
            "SET SESSION innodb_lock_wait_timeout = %1$s, SESSION lock_wait_timeout = %1$s,"
                    + " SESSION sql_select_limit = 18446744073709551615, SESSION autocommit = 1";

    private final String schema;

    private final String now;

    private final String lockWaitQuery;

    private final String lockWaitCommand;

    DatabaseDialect(String schema, String now, String lockWaitQuery, String lockWaitCommand) {
        this.schema = schema;
        this.now = now;
        this.lockWaitQuery = lockWaitQuery;
        this.lockWaitCommand = lockWaitCommand;
    }

    /** The dialect of a connection's database. */
    static DatabaseDialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            case "mysql" -> MYSQL;
            case "mariadb" -> MARIADB;
            case "h2" -> H2;
            default ->
                throw new BackendFailure(
                        Effect.REFUSED,
                        "locks can be kept in PostgreSQL, MariaDB, MySQL and H2, not in '" + product + "'",
                        null);
        };
    }

    /** The database's part of the schema resource's name. */
    public String schema() {
        return schema;
    }

    /** The SQL expression for the current time. */
    public String now() {
        return now;
    }

    /** The query for the statement that sets how long the session waits for locked rows and tables now. */
    String lockWaitQuery() {
        return lockWaitQuery;
    }

    /**
     * The statement that sets how long the session waits for locked rows and tables. The number is inserted by {@code %s},
     * because {@code %d} has the digits of the default locale, which a database does not read.
     */
    String lockWaitCommand(Duration wait) {
        return lockWaitCommand.formatted(lockWait(wait));
    }

    /** Converts a wait for locked rows to the unit of the session setting. Zero would be a wait without a limit. */
    long lockWait(Duration wait) {
        return Math.max(1, (wholeMillis(wait) + 999) / 1_000);
    }

    private static long wholeMillis(Duration wait) {
        return Math.min(Integer.MAX_VALUE, Math.max(1, wait.toMillis()));
    }

    /** Whether the database can notify waiters of releases. */
    public boolean notifiesOfReleases() {
        return this == POSTGRESQL;
    }

    public boolean isMySqlFamily() {
        return this == MYSQL || this == MARIADB;
    }
}
