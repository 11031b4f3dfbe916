package io.leasehold.jdbc.connection;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a database error for the failed statement. It is determined by vendor code where the SQL state is not
 * specific enough, and by SQL state otherwise. An error that is not in the tables counts as {@link #NO_ANSWER}, because
 * an additional check is safer than a wrong conclusion. So do errors of connecting, such as a wrong password: a driver
 * with several hosts reports those of its next connection for a statement that the last one may have executed.
 */
public enum SqlError {

    /** The statement was rolled back because of a conflict with another transaction; a retry may succeed. */
    CONTENTION,

    /** The statement waited the longest allowed time for a row that another transaction has locked. */
    ROW_LOCKED,

    /** The statement would have inserted a second row with the same key. */
    DUPLICATE,

    /** The table is missing. */
    MISSING_TABLE,

    /** A column is missing: the table is of an older version. */
    MISSING_COLUMN,

    /** The statement was refused, and a retry would be refused as well. */
    REFUSED,

    /** The database could not execute the statement now, and has not executed it. */
    NOT_DONE,

    /** The connection ended, or an unexpected error occurred; the statement may have been executed. */
    NO_ANSWER;

    /**
     * The code of the own errors of MariaDB's driver. Their SQL state may be that of a syntax error, such as if the
     * connection was closed before its timeout was set.
     */
    static final int MARIADB_DRIVER = -1;

    /** The state of a statement that took too long, or that an administrator has cancelled. */
    public static final String QUERY_CANCELED = "57014";

    private static final Map<Integer, SqlError> MYSQL = Map.ofEntries(
            Map.entry(MARIADB_DRIVER, NO_ANSWER),
            Map.entry(1213, CONTENTION),
            Map.entry(1205, ROW_LOCKED),
            Map.entry(1020, CONTENTION),
            Map.entry(3101, CONTENTION),
            Map.entry(3572, ROW_LOCKED),
            Map.entry(1062, DUPLICATE),
            Map.entry(1146, MISSING_TABLE),
            Map.entry(1054, MISSING_COLUMN),
            Map.entry(1021, NOT_DONE),
            Map.entry(1040, NO_ANSWER),
            Map.entry(1044, NO_ANSWER),
            Map.entry(1114, NOT_DONE),
            Map.entry(1203, NO_ANSWER),
            Map.entry(1226, NO_ANSWER),
            Map.entry(1290, NOT_DONE),
            Map.entry(1317, NOT_DONE),
            Map.entry(1665, REFUSED),
            Map.entry(1836, NOT_DONE),
            Map.entry(1969, NOT_DONE),
            Map.entry(3024, NOT_DONE));

    private static final Map<Integer, SqlError> H2 = Map.ofEntries(
            Map.entry(50200, ROW_LOCKED),
            Map.entry(90131, CONTENTION),
            Map.entry(40001, CONTENTION),
            Map.entry(42102, MISSING_TABLE),
            Map.entry(42103, MISSING_TABLE),
            Map.entry(42104, MISSING_TABLE),
            Map.entry(42122, MISSING_COLUMN),
            Map.entry(90096, REFUSED),
            Map.entry(90079, REFUSED),
            Map.entry(90097, NOT_DONE),
            Map.entry(57014, NOT_DONE));

    private static final Map<String, SqlError> STATES = Map.ofEntries(
            Map.entry("40001", CONTENTION),
            Map.entry("40P01", CONTENTION),
            Map.entry("42P05", CONTENTION),
            Map.entry("26000", CONTENTION),
            Map.entry("55P03", ROW_LOCKED),
            Map.entry("23505", DUPLICATE),
            Map.entry("42P01", MISSING_TABLE),
            Map.entry("42S02", MISSING_TABLE),
            Map.entry("42703", MISSING_COLUMN),
            Map.entry("25006", NOT_DONE),
            Map.entry(QUERY_CANCELED, NOT_DONE));

    private static final Set<String> REFUSALS = Set.of("0A", "22", "23", "3D", "3F", "42");

    public static SqlError classify(SQLException error, DatabaseDialect dialect) {
        SqlError known = byVendorCode(error, dialect);
        if (known != null) {
            return known;
        }
        String state = error.getSQLState();
        if (state == null || state.length() < 2) {
            return NO_ANSWER;
        }
        known = STATES.get(state);
        if (known != null) {
            return known;
        }
        if (error instanceof SQLTimeoutException || error instanceof SQLRecoverableException) {
            return NO_ANSWER;
        }
        return byClass(state.substring(0, 2));
    }

    private static @Nullable SqlError byVendorCode(SQLException error, DatabaseDialect dialect) {
        return switch (dialect) {
            case MYSQL, MARIADB -> MYSQL.get(error.getErrorCode());
            case H2 -> H2.get(error.getErrorCode());
            case POSTGRESQL -> null;
        };
    }

    private static SqlError byClass(String stateClass) {
        if (REFUSALS.contains(stateClass)) {
            return REFUSED;
        }
        // 53: too few resources; 54: a limit of the server, such as the size of the queue of notifications
        return stateClass.equals("53") || stateClass.equals("54") ? NOT_DONE : NO_ANSWER;
    }
}
