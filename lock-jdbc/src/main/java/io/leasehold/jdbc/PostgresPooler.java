package io.leasehold.jdbc;

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

    /** Whether there is one; then the driver keeps no statement prepared on the connection from now on. */
    static boolean isBetween(Connection connection) throws SQLException {
        try {
            return asksAnotherProcess(connection);
        } catch (LinkageError ex) {
            // another driver for PostgreSQL
            return false;
        }
    }

    private static boolean asksAnotherProcess(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(PGConnection.class)) {
            return false;
        }
        PGConnection postgres = connection.unwrap(PGConnection.class);
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(BACKEND_PID)) {
            if (rows.next() && rows.getInt(1) == postgres.getBackendPID()) {
                return false;
            }
        }
        postgres.setPrepareThreshold(0);
        return true;
    }
}
