package io.leasehold.jdbc.connection;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.ProxyConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import javax.sql.DataSource;

/**
 * Borrows connections from a pool that serves only locks. Each physical connection is set up for locks when it is
 * borrowed for the first time; later borrowings send nothing.
 */
public final class LockConnections {

    private final DataSource pool;

    private final Duration lockWait;

    private final Duration commandTimeout;

    private final Map<Connection, Server> known = Collections.synchronizedMap(new WeakHashMap<>());

    public LockConnections(DataSource pool, Duration lockWait, Duration commandTimeout) {
        this.pool = pool;
        this.lockWait = lockWait;
        this.commandTimeout = commandTimeout;
    }

    /** Borrows a connection for the calling thread, which closes or discards it. */
    public LockConnection open() throws SQLException {
        Connection connection = pool.getConnection();
        try {
            Server server = setUp(connection);
            int queryTimeout = server.isPooled()
                    ? (int) Math.max(1, lockWait.plusMillis(999).toSeconds())
                    : 0;
            return new LockConnection(
                    connection, server.dialect(), commandTimeout, queryTimeout, failed -> evict(pool, failed));
        } catch (Throwable ex) {
            evict(pool, connection);
            LockConnection.close(connection);
            throw ex;
        }
    }

    private Server setUp(Connection connection) throws SQLException {
        Connection physical = connection.unwrap(Connection.class);
        // Before anything is sent: a connection that was just opened may not answer.
        LockConnection.waitForAnswers(physical, commandTimeout);
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
        Server server = known.get(physical);
        if (server == null) {
            DatabaseDialect dialect = DatabaseDialect.of(physical);
            server = new Server(dialect, dialect == DatabaseDialect.POSTGRESQL && PostgresPooler.isBetween(physical));
            if (!server.isPooled()) {
                SessionSettings.forLocks(dialect, lockWait, commandTimeout).applyTo(physical);
            }
            known.put(physical, server);
        }
        return server;
    }

    /** Removes a failed connection from its pool. */
    static void evict(DataSource pool, Connection connection) {
        if (HikariEviction.IS_PRESENT && HikariEviction.evict(pool, connection)) {
            return;
        }
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException ex) {
            // The caller closes the connection next in any case.
        }
    }

    /** Loaded only if HikariCP is on the class path. */
    private static final class HikariEviction {

        private static final boolean IS_PRESENT = isPresent();

        private static boolean isPresent() {
            try {
                Class.forName("com.zaxxer.hikari.HikariDataSource", false, LockConnections.class.getClassLoader());
                return true;
            } catch (ClassNotFoundException | LinkageError ex) {
                return false;
            }
        }

        /** The pool may be behind a decorator of the application that does not wrap its connections. */
        private static boolean evict(DataSource pool, Connection connection) {
            try {
                if (connection instanceof ProxyConnection && pool.isWrapperFor(HikariDataSource.class)) {
                    pool.unwrap(HikariDataSource.class).evictConnection(connection);
                    return true;
                }
            } catch (SQLException ex) {
                // the connection is aborted instead
            }
            return false;
        }
    }

    /**
     * The server of a connection.
     *
     * @param isPooled whether a pooler is in between. Settings of a session would then affect other clients
     */
    private record Server(DatabaseDialect dialect, boolean isPooled) {}
}
