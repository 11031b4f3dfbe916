package io.leasehold.jdbc.connection;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * Detects a pooler between a connection and PostgreSQL. PgBouncer reports to each client a process id of its own, which
 * differs from that of the server's process. Behind a pooler, session settings would affect other clients, and prepared
 * statements that the server keeps would collide with those of other clients.
 */
final class PostgresPooler {

    static final String BACKEND_PID = "SELECT pg_backend_pid()";

    private PostgresPooler() {}

    /**
     * Adapts a connection that was just opened. Behind a pooler, the driver creates no server-side prepared statement
     * on it from its first statement on. Such a statement would stay in the server, and another client could get it by
     * its name.
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

    /**
     * Whether a pooler is in between. If so, the driver keeps no server-side prepared statement on the connection from
     * now on.
     */
    static boolean isBetween(Connection connection) throws SQLException {
        try {
            return connection.isWrapperFor(PGConnection.class)
                    && asksAnotherProcess(connection, connection.unwrap(PGConnection.class));
        } catch (LinkageError ex) {
            // Another driver for PostgreSQL is in use.
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
