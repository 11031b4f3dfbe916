package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.LockConnection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The lease table in MariaDB. If the key has had a row lately, a free row is acquired by a plain update, see {@link
 * FreeRowUpdate}, because an upsert costs the server more. Otherwise one upsert acquires the lock in all cases in which
 * that is possible, or returns its holder. The returned token shows whether the lock was acquired; the update count of
 * an upsert does not. {@link MySqlLeaseTable} describes the order of its assignments.
 */
final class MariaDbLeaseTable extends LeaseTable {

    private final FreeRowUpdate free = new FreeRowUpdate(this);

    private final RecentKeys recent = new RecentKeys();

    private final String acquireSql;

    MariaDbLeaseTable(String table) {
        super(DatabaseDialect.MARIADB, table);
        acquireSql = sql("""
                INSERT INTO {table} (key_hash, lock_key, token, holder, fence, fences, expires_at, written_at)
                VALUES (?, ?, ?, ?, {now}, ?, {now} + ?, {now})
                ON DUPLICATE KEY UPDATE
                    fence = IF(expires_at <= {now}, GREATEST(fence + fences, {now}), fence),
                    %s
                RETURNING %s""".formatted(MySqlLeaseTable.ASSIGNMENTS, WATCHED));
    }

    @Override
    @Nullable
    LeaseRow acquire(LockConnection session, LeaseRequest request) throws SQLException {
        LeaseRow taken = recent.contains(request.key()) ? free.take(session, request) : null;
        if (taken != null) {
            return taken;
        }
        recent.add(request.key());
        return upsert(session, request);
    }

    /**
     * Returns the last row. A node of a Galera cluster that has to roll the statement back, because another node has
     * changed the row, repeats it itself. Its answer then has a row for each attempt, and only the last one was committed.
     */
    private @Nullable LeaseRow upsert(LockConnection session, LeaseRequest request) throws SQLException {
        PreparedStatement acquire = session.prepare(acquireSql);
        request.bindRow(acquire, 1);
        acquire.execute();
        try (ResultSet rows = acquire.getResultSet()) {
            LeaseRow last = null;
            for (LeaseRow row = watchedRow(rows); row != null; row = watchedRow(rows)) {
                last = row;
            }
            return last;
        }
    }

    /**
     * Fails immediately if a row is locked: MariaDB does not skip rows that are locked in a subquery. It may still wait
     * for a lock on the whole table.
     */
    @Override
    String renewSql(String condition) {
        return "SET STATEMENT innodb_lock_wait_timeout = 0 FOR " + super.renewSql(condition);
    }

    @Override
    public String purge() {
        return MySqlLeaseTable.PURGE;
    }
}
