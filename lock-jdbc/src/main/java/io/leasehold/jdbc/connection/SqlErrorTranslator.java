package io.leasehold.jdbc.connection;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.sql.SQLException;
import java.util.Set;

/**
 * Translates classified SQL errors into failures. A message says what failed, whether it was done and, if an operator
 * has to act, the next step.
 */
public final class SqlErrorTranslator {

    /** Error codes of MySQL, MariaDB and H2 for a table that the user may not read or write. */
    private static final Set<Integer> NO_RIGHTS = Set.of(1142, 1143, 90096);

    /** What to do about {@link #isOfStatementLog}. */
    public static final String STATEMENT_LOG_ADVICE = "Set binlog_format to ROW or MIXED";

    private static final String MASK_KEYS =
            "set 'lock.mask-keys' in all processes at the same time: a masked key is another lock";

    private final TableAdvice tables;

    public SqlErrorTranslator(TableAdvice tables) {
        this.tables = tables;
    }

    BackendFailure of(String what, SqlError fault, SQLException cause, DatabaseDialect dialect) {
        String reason = words(cause) + " (SQL state " + cause.getSQLState() + ", code " + cause.getErrorCode() + ")";
        return switch (fault) {
            case CONTENTION ->
                new BackendFailure(Effect.NOT_DONE, what + " was rolled back time and again: " + reason, cause);
            case ROW_LOCKED ->
                new BackendFailure(
                        Effect.NOT_DONE,
                        what + " was not done: another transaction has the row locked: " + reason,
                        cause);
            case DUPLICATE, REFUSED ->
                new BackendFailure(Effect.REFUSED, what + " was refused: " + reason + advice(cause, tables), cause);
            case MISSING_TABLE ->
                new BackendFailure(
                        Effect.REFUSED, what + " was refused: " + reason + ". " + tables.advice(dialect), cause);
            case MISSING_COLUMN ->
                new BackendFailure(
                        Effect.REFUSED, what + " was refused: " + reason + ". " + tables.upgradeAdvice(dialect), cause);
            case NOT_DONE -> new BackendFailure(Effect.NOT_DONE, what + " was not done: " + reason, cause);
            case NO_ANSWER -> new BackendFailure(Effect.UNKNOWN, what + " was not answered: " + reason, cause);
        };
    }

    /** The database's own words, without the whole statement that H2 puts behind them. */
    public static String words(SQLException error) {
        return String.valueOf(error.getMessage()).replaceFirst("(?s); SQL statement:\n.*", "");
    }

    /** Whether the database refused a statement because the user has no right to execute it. */
    public static boolean lacksRights(SQLException refusal) {
        return "42501".equals(refusal.getSQLState()) || NO_RIGHTS.contains(refusal.getErrorCode());
    }

    /** Whether MySQL or MariaDB refused a write because its binary log records statements. */
    public static boolean isOfStatementLog(SQLException refusal) {
        return refusal.getErrorCode() == 1665;
    }

    private static String advice(SQLException refusal, TableAdvice tables) {
        if (isOfStatementLog(refusal)) {
            return ". " + STATEMENT_LOG_ADVICE;
        }
        if ("22P05".equals(refusal.getSQLState())) {
            return ". Keep the tables of the locks in a database with the encoding UTF8, or " + MASK_KEYS;
        }
        if (refusal.getErrorCode() == 1366) {
            return ". Change the character set of column lock_key to utf8mb4, or " + MASK_KEYS;
        }
        return lacksRights(refusal) ? ". " + tables.grantAdvice() : "";
    }

    /** Advice on tables that are missing, of an older version, or not accessible to the user. */
    public interface TableAdvice {

        /** How to create a missing table. */
        String advice(DatabaseDialect dialect);

        /** How to upgrade a table of an older version. */
        String upgradeAdvice(DatabaseDialect dialect);

        /** Which rights the user needs. */
        String grantAdvice();
    }
}
