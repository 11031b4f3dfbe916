package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.LockConnection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The lease table in MariaDB. A free row is acquired by a plain update, see {@link FreeRowUpdate}, because an upsert
 * costs the server more even then. Otherwise one upsert acquires the lock in all other cases in which that is possible,
 * or returns its holder. The returned token shows whether the lock was acquired; the update count of an upsert does
 * not.
 *
 * <p>Assignments are evaluated from left to right, and each sees those before it. The fences are therefore assigned
 * first, while token and expiry still have their old values. The token is assigned next, while the expiry still has its
 * old value. The expiry and the time of writing are assigned last, and depend on whether the token is now that of the
 * request.
 */
final class MariaDbLeaseTable extends LeaseTable {

    private final FreeRowUpdate free = new FreeRowUpdate(this);

    private final String acquireSql;

    MariaDbLeaseTable(String table) {
        super(DatabaseDialect.MARIADB, table);
        acquireSql = sql("""
                INSERT INTO {table} (key_hash, lock_key, token, fence, fences, expires_at, written_at)
                VALUES (?, ?, ?, {now}, ?, {now} + ?, {now})
                ON DUPLICATE KEY UPDATE
                    fence = IF(expires_at <= {now}, GREATEST(fence + fences, {now}), fence),
                    fences = IF(expires_at <= {now}, VALUES(fences), fences),
                    token = IF(expires_at <= {now}, VALUES(token), token),
                    expires_at = IF(token = VALUES(token), GREATEST({expiry}, VALUES(expires_at)), expires_at),
                    written_at = IF(token = VALUES(token), VALUES(written_at), written_at)
                RETURNING\s""" + WATCHED);
    }

    @Override
    @Nullable
    LeaseRow acquire(LockConnection session, LeaseRequest request) throws SQLException {
        LeaseRow taken = free.take(session, request);
        return taken == null ? upsert(session, request) : taken;
    }

    private @Nullable LeaseRow upsert(LockConnection session, LeaseRequest request) throws SQLException {
        PreparedStatement acquire = session.prepare(acquireSql);
        acquire.setBytes(1, request.key());
        acquire.setString(2, request.name());
        acquire.setString(3, request.token());
        acquire.setInt(4, request.fences());
        acquire.setLong(5, request.ttlMicros());
        acquire.execute();
        try (ResultSet rows = acquire.getResultSet()) {
            return watchedRow(rows);
        }
    }

    /** Fails immediately if a row is locked: MariaDB does not skip rows that are locked in a subquery. */
    @Override
    String renewSql(String condition) {
        return "SET STATEMENT innodb_lock_wait_timeout = 0 FOR " + plainRenewSql(condition);
    }

    @Override
    public String purge() {
        return MySqlLeaseTable.PURGE;
    }
}
