package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.LockConnection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The lease table in MariaDB: an update of the row if it is free, see {@link FreeRowUpdate}, since an upsert costs the
 * server more even then; otherwise one statement that acquires in any case in which that can be done, or says who holds the
 * lock. Whether it did is read from the returned token; the count of an upsert says nothing.
 *
 * <p>Assignments happen from left to right, each seeing those before it. So the fences are decided while token and expiry
 * are still the old ones, then the token while the expiry is, and the expiry and when it was written by whether the token is now one's own.
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

    /** It fails at once if a row is locked: rows are not skipped where a subquery has locked them. */
    @Override
    String renewSql(String condition) {
        return "SET STATEMENT innodb_lock_wait_timeout = 0 FOR " + plainRenewSql(condition);
    }

    @Override
    public String purge() {
        return MySqlLeaseTable.PURGE;
    }
}
