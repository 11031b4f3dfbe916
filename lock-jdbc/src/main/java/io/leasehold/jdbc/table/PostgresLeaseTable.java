package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.LockConnection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The lease table in PostgreSQL. An update acquires the row if it is free. Otherwise the row is read to find the
 * holder. A missing row is inserted. A row that is held under the same token, because a command was sent a second time,
 * is renewed.
 *
 * <p>Alternatives cost more. One update for both cases, a free row and a row of the same token, takes a tenth longer.
 * An upsert that is refused would save one statement for a busy lock, but it locks the row and writes to the log in
 * vain; an upsert that reads first costs more for a free lock.
 *
 * <p>After a wait for the row, the updates check its current version; {@code clock_timestamp()} advances during the
 * wait.
 */
class PostgresLeaseTable extends LeaseTable {

    final String takeSql;

    private final String renewSql;

    private final String insertSql;

    PostgresLeaseTable(String table) {
        super(DatabaseDialect.POSTGRESQL, table);
        takeSql = takeSql("");
        renewSql = sql("""
                UPDATE {table} SET expires_at = GREATEST({expiry}, {now} + ?), written_at = {now}
                WHERE key_hash = ? AND token = ? AND expires_at > {now}
                RETURNING fence, expires_at - {now}""");
        insertSql = sql("""
                INSERT INTO {table} (key_hash, lock_key, token, fence, fences, expires_at, written_at)
                VALUES (?, ?, ?, {now}, ?, {now} + ?, {now})
                ON CONFLICT DO NOTHING
                RETURNING token, fence, expires_at - {now}""");
    }

    /** The statement that acquires a free lock if an additional condition holds. */
    final String takeSql(String condition) {
        return sql("""
                UPDATE {table} SET
                    fence = GREATEST(fence + fences, {now}),
                    fences = ?,
                    token = ?,
                    expires_at = {now} + ?,
                    written_at = {now}
                WHERE key_hash = ? AND expires_at <= {now}%s
                RETURNING fence""".formatted(condition));
    }

    @Override
    @Nullable
    LeaseRow acquire(LockConnection session, LeaseRequest request) throws SQLException {
        LeaseRow taken = take(session, request, takeSql);
        return taken == null
                ? acquireKnown(session, request, read(session, request.key()).orElse(null))
                : taken;
    }

    /** Continues an acquisition after the update has found the lock not free, or without a row. */
    final @Nullable LeaseRow acquireKnown(LockConnection session, LeaseRequest request, @Nullable LeaseRow known)
            throws SQLException {
        if (known == null) {
            return insert(session, request);
        }
        if (known.isHeldBy(request.token())) {
            return renew(session, request);
        }
        return known.isHeld() ? known : null;
    }

    final @Nullable LeaseRow take(LockConnection session, LeaseRequest request, String sql) throws SQLException {
        PreparedStatement take = session.prepare(sql);
        take.setInt(1, request.fences());
        take.setString(2, request.token());
        take.setLong(3, request.ttlMicros());
        take.setBytes(4, request.key());
        try (ResultSet rows = take.executeQuery()) {
            return rows.next() ? new LeaseRow(request.token(), rows.getLong(1), request.ttlMicros()) : null;
        }
    }

    private @Nullable LeaseRow renew(LockConnection session, LeaseRequest request) throws SQLException {
        PreparedStatement renew = session.prepare(renewSql);
        renew.setLong(1, request.ttlMicros());
        renew.setBytes(2, request.key());
        renew.setString(3, request.token());
        try (ResultSet rows = renew.executeQuery()) {
            return rows.next() ? new LeaseRow(request.token(), rows.getLong(1), rows.getLong(2)) : null;
        }
    }

    private @Nullable LeaseRow insert(LockConnection session, LeaseRequest request) throws SQLException {
        PreparedStatement insert = session.prepare(insertSql);
        insert.setBytes(1, request.key());
        insert.setString(2, request.name());
        insert.setString(3, request.token());
        insert.setInt(4, request.fences());
        insert.setLong(5, request.ttlMicros());
        try (ResultSet rows = insert.executeQuery()) {
            return row(rows);
        }
    }

    @Override
    String renewSql(String condition) {
        return plainRenewSql(sql("key_hash IN (SELECT key_hash FROM {table} WHERE ") + condition
                + " FOR NO KEY UPDATE SKIP LOCKED)");
    }

    @Override
    public String purge() {
        return """
                DELETE FROM {table} WHERE key_hash IN (
                    SELECT key_hash FROM {table} WHERE expires_at <= {now} AND fence + fences < {now} - ?
                    LIMIT ? FOR UPDATE SKIP LOCKED)""";
    }
}
