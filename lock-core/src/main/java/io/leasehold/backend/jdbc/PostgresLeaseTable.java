package io.leasehold.backend.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lease table in PostgreSQL: a conditional update that returns the row; otherwise a look at who holds the lock, or the
 * insertion of a row that is not there. A refused upsert would do with one statement less for a lock that is busy, but
 * locks the row and writes to the log in vain, and one that looks first costs more where the lock is free.
 *
 * <p>After waiting for the row, the update looks again at what is there now; {@code clock_timestamp()} goes on meanwhile.
 * The fence depends on the token and not on the time alone, since the readings of the clock are not the same.
 */
final class PostgresLeaseTable extends LeaseTable {

    private final String updateSql;

    private final String insertSql;

    PostgresLeaseTable(String table) {
        super(Dialect.POSTGRESQL, table);
        updateSql = sql("""
                UPDATE {table} SET
                    fence = CASE WHEN token = ? AND expires_at > {now} THEN fence
                            ELSE GREATEST(fence + fences, {now}) END,
                    fences = CASE WHEN token = ? AND expires_at > {now} THEN fences ELSE ? END,
                    token = ?,
                    expires_at = GREATEST(expires_at, {now} + ?)
                WHERE key_hash = ? AND (expires_at <= {now} OR token = ?)
                RETURNING token, fence, expires_at - {now}""");
        insertSql = sql("""
                INSERT INTO {table} (key_hash, lock_key, token, fence, fences, expires_at)
                VALUES (?, ?, ?, {now}, ?, {now} + ?)
                ON CONFLICT DO NOTHING
                RETURNING token, fence, expires_at - {now}""");
    }

    @Override
    @Nullable
    LeaseRow acquire(Session session, LeaseRequest request) throws SQLException {
        PreparedStatement update = session.prepare(updateSql);
        update.setString(1, request.token());
        update.setString(2, request.token());
        update.setInt(3, request.fences());
        update.setString(4, request.token());
        update.setLong(5, request.ttlMicros());
        update.setBytes(6, request.key());
        update.setString(7, request.token());
        try (ResultSet rows = update.executeQuery()) {
            LeaseRow granted = row(rows);
            if (granted != null) {
                return granted;
            }
        }
        Optional<LeaseRow> known = read(session, request.key());
        return known.isEmpty()
                ? insert(session, request)
                : known.filter(LeaseRow::isHeld).orElse(null);
    }

    private @Nullable LeaseRow insert(Session session, LeaseRequest request) throws SQLException {
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
    String purge() {
        return """
                DELETE FROM {table} WHERE key_hash IN (
                    SELECT key_hash FROM {table} WHERE expires_at <= {now} AND fence + fences < {now} - ?
                    LIMIT ? FOR UPDATE SKIP LOCKED)""";
    }
}
