package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.LockConnection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The lease table in PostgreSQL. One statement acquires a free lock: a plain update if the key has had a row lately,
 * otherwise an update that inserts a missing row. If the lock was not acquired, the row is read to find the holder. A
 * row that is held under the same token, because a command was sent a second time, is renewed.
 *
 * <p>The update and the insertion of one statement see the table as it was when the statement began. At most one of
 * them succeeds: the update needs a row in that view, and the insertion needs that view to have none. A row that
 * another transaction inserts concurrently is not in that view. The insertion then waits for that transaction, finds
 * the conflict and does nothing, and the read that follows sees the row.
 *
 * <p>Alternatives cost more. One update for both cases, a free row and a row of the same token, takes a tenth longer.
 * An upsert ({@code ON CONFLICT DO UPDATE}) that is refused locks the row and writes to the log in vain.
 *
 * <p>After a wait for the row, the updates check its current version; {@code clock_timestamp()} advances during the
 * wait.
 */
class PostgresLeaseTable extends LeaseTable {

    final String takeSql;

    private final String renewSql;

    final String takeOrInsertSql;

    private final RecentKeys recent = new RecentKeys();

    PostgresLeaseTable(String table) {
        super(DatabaseDialect.POSTGRESQL, table);
        takeSql = takeSql("");
        renewSql = sql("""
                UPDATE {table} SET expires_at = GREATEST({expiry}, {now} + ?), written_at = {now}
                WHERE key_hash = ? AND token = ? AND expires_at > {now}
                RETURNING fence, expires_at - {now}""");
        takeOrInsertSql = takeOrInsertSql(takeSql);
    }

    /** The statement that acquires a free lock if an additional condition holds. */
    final String takeSql(String condition) {
        return sql("""
                UPDATE {table} SET
                    fence = GREATEST(fence + fences, {now}),
                    fences = ?,
                    token = ?,
                    holder = ?,
                    expires_at = {now} + ?,
                    written_at = {now}
                WHERE key_hash = ? AND expires_at <= {now}%s
                RETURNING fence""".formatted(condition));
    }

    /** The statement that acquires a free lock by an update, or inserts its row. */
    final String takeOrInsertSql(String take) {
        return sql("""
                WITH taken AS (%s), inserted AS (
                    INSERT INTO {table} (key_hash, lock_key, token, holder, fence, fences, expires_at, written_at)
                    SELECT ?, ?, ?, ?, {now}, ?, {now} + ?, {now}
                    WHERE NOT EXISTS (SELECT FROM {table} WHERE key_hash = ?)
                    ON CONFLICT DO NOTHING
                    RETURNING fence)
                SELECT fence FROM taken UNION ALL SELECT fence FROM inserted""".formatted(take));
    }

    @Override
    @Nullable
    LeaseRow acquire(LockConnection session, LeaseRequest request) throws SQLException {
        LeaseRow taken = take(session, request, takeSql, takeOrInsertSql);
        return taken == null
                ? acquireKnown(session, request, read(session, request.key()).orElse(null))
                : taken;
    }

    /** Continues an acquisition after the first statement has not acquired the lock. */
    final @Nullable LeaseRow acquireKnown(LockConnection session, LeaseRequest request, @Nullable LeaseRow known)
            throws SQLException {
        if (known == null) {
            recent.remove(request.key());
            return null;
        }
        recent.add(request.key());
        if (known.isHeldBy(request.token())) {
            return renew(session, request);
        }
        return known.isHeld() ? known : null;
    }

    /**
     * Acquires a free lock by the first statement if the key has had a row lately, otherwise by the second.
     *
     * @return the row; {@code null} if the lock was not acquired
     */
    final @Nullable LeaseRow take(LockConnection session, LeaseRequest request, String take, String takeOrInsert)
            throws SQLException {
        boolean known = recent.contains(request.key());
        PreparedStatement statement = session.prepare(known ? take : takeOrInsert);
        request.bindUpdate(statement);
        if (!known) {
            request.bindRow(statement, 6);
            statement.setBytes(12, request.key());
        }
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return null;
            }
            recent.add(request.key());
            return new LeaseRow(request.token(), rows.getLong(1), request.ttlMicros());
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
