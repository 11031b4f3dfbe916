package io.leasehold.jdbc.connection;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.sql.SQLException;

/** Words for faults: what happened, whether it was done, and where somebody has to act, the next step. */
public final class SqlErrorTranslator {

    private final TableAdvice tables;

    public SqlErrorTranslator(TableAdvice tables) {
        this.tables = tables;
    }

    BackendFailure of(String what, SqlError fault, SQLException cause, DatabaseDialect dialect) {
        String reason =
                cause.getMessage() + " (SQL state " + cause.getSQLState() + ", code " + cause.getErrorCode() + ")";
        return switch (fault) {
            case CONTENTION ->
                new BackendFailure(Effect.NOT_DONE, what + " was rolled back time and again: " + reason, cause);
            case ROW_LOCKED ->
                new BackendFailure(
                        Effect.NOT_DONE,
                        what + " was not done: another transaction has the row locked: " + reason,
                        cause);
            case DUPLICATE, REFUSED -> new BackendFailure(Effect.REFUSED, what + " was refused: " + reason, cause);
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

    /** What to do about tables that are not as they should be. */
    public interface TableAdvice {

        /** What to do about a missing table. */
        String advice(DatabaseDialect dialect);

        /** What to do about a table of an older version. */
        String upgradeAdvice(DatabaseDialect dialect);
    }
}
