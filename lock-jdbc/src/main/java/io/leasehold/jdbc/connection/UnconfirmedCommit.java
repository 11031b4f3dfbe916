package io.leasehold.jdbc.connection;

import java.sql.SQLException;
import java.sql.SQLWarning;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;

/**
 * PostgreSQL's warning that it has ended the wait for a synchronous standby, because a query timeout was over or an
 * administrator cancelled the statement. The transaction is committed, but the standby may not have it. Its text depends
 * on the language of the server, and it has the SQL state of all warnings, so it is recognised by the function of the
 * server that sends it.
 */
final class UnconfirmedCommit {

    private static final String ROUTINE = "SyncRepWaitForLSN";

    private UnconfirmedCommit() {}

    /** The warning in a chain of warnings, {@code null} if it is not there. */
    static @Nullable SQLWarning in(@Nullable SQLWarning first) throws SQLException {
        try {
            for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
                if (warning instanceof PSQLWarning ofPostgres && isSentBy(ofPostgres.getServerErrorMessage())) {
                    return warning;
                }
            }
            return null;
        } catch (LinkageError ex) {
            // Another driver is in use.
            return null;
        }
    }

    private static boolean isSentBy(@Nullable ServerErrorMessage message) {
        return message != null && ROUTINE.equals(message.getRoutine());
    }
}
