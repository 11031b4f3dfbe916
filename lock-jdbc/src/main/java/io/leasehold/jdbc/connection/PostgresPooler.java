package io.leasehold.jdbc.connection;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * Finds a pooler between a connection and PostgreSQL. PgBouncer tells each client a process id of its own, which is not
 * that of the server's process. What is set on a session behind it would stay for other clients, and statements that the
 * server keeps prepared would meet those of others.
 */
final class PostgresPooler {

    static final String BACKEND_PID = "SELECT pg_backend_pid()";

    private PostgresPooler() {}

    /**
     * Hands a connection on that was just opened. Behind a pooler, the driver prepares nothing on it from its first statement
     * on: whatever is prepared stays in the server, and by its name another client gets a statement that is not its own.
     */
    static Connection adapted(Connection opened) throws SQLException {
        try {
            isBetween(opened);
            return opened;
        } catch (SQLException | RuntimeException ex) {
            LockConnection.close(opened);
            throw ex;
        }
    }

    /** Whether there is one; then the driver keeps no statement prepared on the connection from now on. */
    static boolean isBetween(Connection connection) throws SQLException {
        try {
            return connection.isWrapperFor(PGConnection.class)
                    && asksAnotherProcess(connection, connection.unwrap(PGConnection.class));
        } catch (LinkageError ex) {
            // another driver for PostgreSQL
            return false;
        }
    }

    private static boolean asksAnotherProcess(Connection connection, PGConnection postgres) throws SQLException {
        int threshold = postgres.getPrepareThreshold();
        postgres.setPrepareThreshold(0);
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(BACKEND_PID)) {
            if (rows.next() && rows.getInt(1) == postgres.getBackendPID()) {
                postgres.setPrepareThreshold(threshold);
                return false;
            }
        }
        return true;
    }
}
