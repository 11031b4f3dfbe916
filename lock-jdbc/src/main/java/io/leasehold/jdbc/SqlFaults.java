package io.leasehold.jdbc;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells what an error means, by vendor code where a SQL state says too little, and by SQL state otherwise. What is not
 * in the tables counts as {@link SqlFault#NO_ANSWER}: it is better to look twice than to be wrong.
 */
final class SqlFaults {

    private static final Map<Integer, SqlFault> MYSQL = Map.ofEntries(
            Map.entry(1213, SqlFault.CONTENTION),
            Map.entry(1205, SqlFault.ROW_LOCKED),
            Map.entry(1020, SqlFault.CONTENTION),
            Map.entry(3572, SqlFault.ROW_LOCKED),
            Map.entry(1062, SqlFault.DUPLICATE),
            Map.entry(1146, SqlFault.MISSING_TABLE),
            Map.entry(1054, SqlFault.MISSING_COLUMN),
            Map.entry(1021, SqlFault.NOT_DONE),
            Map.entry(1040, SqlFault.NOT_DONE),
            Map.entry(1114, SqlFault.NOT_DONE),
            Map.entry(1290, SqlFault.NOT_DONE),
            Map.entry(1317, SqlFault.NOT_DONE),
            Map.entry(1836, SqlFault.NOT_DONE),
            Map.entry(1969, SqlFault.NOT_DONE),
            Map.entry(3024, SqlFault.NOT_DONE));

    private static final Map<Integer, SqlFault> H2 = Map.of(
            50200, SqlFault.ROW_LOCKED,
            90131, SqlFault.CONTENTION,
            40001, SqlFault.CONTENTION,
            42102, SqlFault.MISSING_TABLE,
            42103, SqlFault.MISSING_TABLE,
            42104, SqlFault.MISSING_TABLE,
            42122, SqlFault.MISSING_COLUMN,
            90096, SqlFault.REFUSED,
            90097, SqlFault.NOT_DONE,
            57014, SqlFault.NOT_DONE);

    private static final Map<String, SqlFault> STATES = Map.ofEntries(
            Map.entry("40001", SqlFault.CONTENTION),
            Map.entry("40P01", SqlFault.CONTENTION),
            Map.entry("42P05", SqlFault.CONTENTION),
            Map.entry("26000", SqlFault.CONTENTION),
            Map.entry("55P03", SqlFault.ROW_LOCKED),
            Map.entry("23505", SqlFault.DUPLICATE),
            Map.entry("42P01", SqlFault.MISSING_TABLE),
            Map.entry("42S02", SqlFault.MISSING_TABLE),
            Map.entry("42703", SqlFault.MISSING_COLUMN),
            Map.entry("25006", SqlFault.NOT_DONE),
            Map.entry("57014", SqlFault.NOT_DONE),
            Map.entry("08001", SqlFault.NOT_DONE),
            Map.entry("08004", SqlFault.NOT_DONE));

    private static final Set<String> REFUSALS = Set.of("0A", "22", "23", "28", "3D", "3F", "42");

    private SqlFaults() {}

    static SqlFault classify(SQLException error, Dialect dialect) {
        SqlFault known = byVendorCode(error, dialect);
        if (known != null) {
            return known;
        }
        String state = error.getSQLState();
        if (state == null || state.length() < 2) {
            return SqlFault.NO_ANSWER;
        }
        known = STATES.get(state);
        if (known != null) {
            return known;
        }
        if (error instanceof SQLTimeoutException || error instanceof SQLRecoverableException) {
            return SqlFault.NO_ANSWER;
        }
        return byClass(state.substring(0, 2));
    }

    private static @Nullable SqlFault byVendorCode(SQLException error, Dialect dialect) {
        return switch (dialect) {
            case MYSQL, MARIADB -> MYSQL.get(error.getErrorCode());
            case H2 -> H2.get(error.getErrorCode());
            case POSTGRESQL -> null;
        };
    }

    private static SqlFault byClass(String stateClass) {
        if (REFUSALS.contains(stateClass)) {
            return SqlFault.REFUSED;
        }
        return stateClass.equals("53") ? SqlFault.NOT_DONE : SqlFault.NO_ANSWER;
    }
}
