package io.leasehold.jdbc;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.sql.SQLException;

/** Words for faults: what happened, whether it was done, and where somebody has to act, the next step. */
final class SqlFailures {

    private final Schema schema;

    SqlFailures(Schema schema) {
        this.schema = schema;
    }

    BackendFailure of(String what, SqlFault fault, SQLException cause, Dialect dialect) {
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
                        Effect.REFUSED, what + " was refused: " + reason + ". " + schema.advice(dialect), cause);
            case MISSING_COLUMN ->
                new BackendFailure(
                        Effect.REFUSED, what + " was refused: " + reason + ". " + schema.upgradeAdvice(dialect), cause);
            case NOT_DONE -> new BackendFailure(Effect.NOT_DONE, what + " was not done: " + reason, cause);
            case NO_ANSWER -> new BackendFailure(Effect.UNKNOWN, what + " was not answered: " + reason, cause);
        };
    }
}
