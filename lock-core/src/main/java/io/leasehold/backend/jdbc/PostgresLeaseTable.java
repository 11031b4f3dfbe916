package io.leasehold.backend.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The lease table in PostgreSQL: one statement acquires or says who holds the lock.
 *
 * <p>It looks at the row first, as its snapshot has it, and writes only if the lock was free or its own there: an upsert
 * that ends up refused would still lock the row and write to the log for every caller in vain. After waiting for the
 * row, {@code DO UPDATE} looks again at what is there now; {@code clock_timestamp()} goes on meanwhile. The fence
 * depends on the token and not on the time alone, since the two readings of the clock are not the same.
 */
final class PostgresLeaseTable extends LeaseTable {

    private final String acquireSql;

    PostgresLeaseTable(String table) {
        super(Dialect.POSTGRESQL, table);
        acquireSql = sql("""
                WITH held AS (
                    SELECT token, fence, expires_at - {now} AS remaining FROM {table}
                    WHERE key_hash = ?::bytea AND expires_at > {now} AND token <> ?::text),
                taken AS (
                    INSERT INTO {table} AS lease (key_hash, lock_key, token, fence, fences, expires_at)
                    SELECT ?::bytea, ?::text, ?::text, {now}, ?::int, {now} + ?::bigint
                    WHERE NOT EXISTS (SELECT 1 FROM held)
                    ON CONFLICT (key_hash) DO UPDATE SET
                        token = EXCLUDED.token,
                        fence = CASE WHEN lease.token = EXCLUDED.token AND lease.expires_at > {now}
                                THEN lease.fence ELSE GREATEST(lease.fence + lease.fences, {now}) END,
                        fences = CASE WHEN lease.token = EXCLUDED.token AND lease.expires_at > {now}
                                THEN lease.fences ELSE EXCLUDED.fences END,
                        expires_at = GREATEST(lease.expires_at, {now} + ?::bigint)
                    WHERE lease.expires_at <= {now} OR lease.token = EXCLUDED.token
                    RETURNING token, fence, expires_at - {now} AS remaining)
                SELECT token, fence, remaining FROM taken
                UNION ALL SELECT token, fence, remaining FROM held""");
    }

    @Override
    @Nullable
    LeaseRow acquire(Session session, LeaseRequest request) throws SQLException {
        PreparedStatement acquire = session.prepare(acquireSql);
        acquire.setBytes(1, request.key());
        acquire.setString(2, request.token());
        acquire.setBytes(3, request.key());
        acquire.setString(4, request.name());
        acquire.setString(5, request.token());
        acquire.setInt(6, request.fences());
        acquire.setLong(7, request.ttlMicros());
        acquire.setLong(8, request.ttlMicros());
        try (ResultSet rows = acquire.executeQuery()) {
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
