package io.leasehold.jdbc.row;

import io.leasehold.jdbc.JdbcInspection;
import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.IdleTransactionLimit;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.SqlError;
import io.leasehold.jdbc.table.LeaseRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The statements that lock a row on a connection of its own, check that the connection answers, and release the row. A
 * row that another transaction has locked is skipped: with {@code NOWAIT} the refusal would be an error, which drivers
 * log.
 *
 * <p>While the row is locked, the server ends the connection if it has received nothing on it for the ttl. A lock
 * therefore outlives a vanished machine no longer than a lease would.
 */
final class RowLockStatements {

    /** Behind a pooler, the session may have another isolation level, whose snapshot lacks the fencing tokens. */
    private static final String READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; ";

    /**
     * The commit of a release waits for no standby, during whose outage the row would stay locked. A failover may revert
     * what it writes: the end of the lease in the row of the fencing tokens, which the next holder of the row ends, too.
     * The tokens themselves are committed on another connection.
     */
    private static final String WITHOUT_STANDBY = "SET LOCAL synchronous_commit = local; ";

    private final String table;

    private final String lockSql;

    private final String findSql;

    private final String seedSql;

    private final String noLockSql;

    private final String noSeedSql;

    RowLockStatements(String table) {
        this.table = table;
        lockSql = "SELECT key_hash FROM " + table + " WHERE key_hash = ? FOR UPDATE SKIP LOCKED";
        findSql = "SELECT key_hash FROM " + table + " WHERE key_hash = ?";
        seedSql = "INSERT INTO " + table + " (key_hash, lock_key) VALUES (?, ?)";
        noLockSql = "SELECT key_hash FROM " + table + " WHERE 1 = 0 FOR UPDATE";
        noSeedSql = "INSERT INTO " + table + " (key_hash, lock_key) SELECT key_hash, lock_key FROM " + table
                + " WHERE 1 = 0";
    }

    String table() {
        return table;
    }

    /** Fails if rows may not be locked and inserted, or cannot be now; changes nothing. */
    boolean check(LockConnection session) throws SQLException {
        session.queryForText(noLockSql);
        session.execute(noSeedSql);
        return true;
    }

    /**
     * Locks the row and keeps the transaction open; {@code false} if another transaction has locked it.
     *
     * @param ttl the {@link IdleTransactionLimit}
     */
    boolean lock(LockConnection session, LeaseRequest request, Duration ttl) throws SQLException {
        if (lockKnown(session, request, ttl)) {
            return true;
        }
        if (finds(session, findSql, request)) {
            return false;
        }
        seed(session, request);
        return lockKnown(session, request, ttl);
    }

    /**
     * Checks that the database answers on the connection, and that it is the one in which other processes lock the row.
     * In the MySQL family a primary that is demoted becomes read-only, and keeps its sessions. PostgreSQL ends them. A
     * former primary that has not noticed its successor confirms the row nevertheless, since the check writes nothing.
     */
    boolean isLockedForAll(LockConnection session) throws SQLException {
        return session.dialect().isMySqlFamily()
                ? JdbcInspection.isWritable(session)
                : !session.queryForText("SELECT 1").isEmpty();
    }

    /** Ends the transaction, and with it the lock. */
    void unlock(LockConnection session) throws SQLException {
        session.end();
        IdleTransactionLimit.clear(session);
    }

    private boolean lockKnown(LockConnection session, LeaseRequest request, Duration ttl) throws SQLException {
        session.begin();
        // before the row is locked: a machine that vanishes in between would keep it locked for hours
        IdleTransactionLimit.set(session, ttl, READ_COMMITTED + WITHOUT_STANDBY);
        if (finds(session, lockSql, request)) {
            return true;
        }
        unlock(session);
        return false;
    }

    private static boolean finds(LockConnection session, String sql, LeaseRequest request) throws SQLException {
        PreparedStatement find = session.prepare(sql);
        find.setBytes(1, request.key());
        try (ResultSet rows = find.executeQuery()) {
            return rows.next();
        }
    }

    /**
     * Inserts the row in a transaction of its own, before the row is locked: an insert that waits for another one ends
     * in deadlocks.
     */
    private void seed(LockConnection session, LeaseRequest request) throws SQLException {
        PreparedStatement seed = session.prepare(seedSql + unlessKnown(session.dialect()));
        seed.setBytes(1, request.key());
        seed.setString(2, request.name());
        try {
            seed.executeUpdate();
        } catch (SQLException ex) {
            switch (SqlError.classify(ex, session.dialect())) {
                case DUPLICATE, ROW_LOCKED -> {}
                default -> throw ex;
            }
        }
    }

    private static String unlessKnown(DatabaseDialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> " ON CONFLICT DO NOTHING";
            case MYSQL, MARIADB -> " ON DUPLICATE KEY UPDATE key_hash = key_hash";
            case H2 -> "";
        };
    }
}
