package io.leasehold.backend.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lease table in MySQL, which returns no rows from an update. {@code LAST_INSERT_ID(expression)} hands the new fence
 * back in the answer itself, where drivers offer it as a generated key.
 *
 * <ol>
 *   <li>Update the row if it is free or held under the same token. Its fence or its expiry changes then, so the count is
 *       one however the driver counts.
 *   <li>Otherwise read the row: somebody holds the lock.
 *   <li>Or there is no row: insert it. If somebody else has done so meanwhile, ask again.
 * </ol>
 */
final class MySqlLeaseTable extends LeaseTable {

    static final String PURGE = "DELETE FROM {table} WHERE expires_at <= {now} AND fence + fences < {now} - ? LIMIT ?";

    private final String updateSql;

    private final String insertSql;

    MySqlLeaseTable(String table) {
        super(Dialect.MYSQL, table);
        updateSql = sql("""
                UPDATE {table} SET
                    fence = LAST_INSERT_ID(IF(expires_at <= {now}, GREATEST(fence + fences, {now}), fence)),
                    fences = IF(expires_at <= {now}, ?, fences),
                    token = ?,
                    expires_at = GREATEST(expires_at, {now} + ?)
                WHERE key_hash = ? AND (expires_at <= {now} OR token = ?)""");
        insertSql = sql("""
                INSERT INTO {table} (key_hash, lock_key, token, fence, fences, expires_at)
                VALUES (?, ?, ?, LAST_INSERT_ID({now}), ?, {now} + ?)""");
    }

    @Override
    @Nullable
    LeaseRow acquire(Session session, LeaseRequest request) throws SQLException {
        PreparedStatement update = session.prepareForKeys(updateSql);
        update.setInt(1, request.fences());
        update.setString(2, request.token());
        update.setLong(3, request.ttlMicros());
        update.setBytes(4, request.key());
        update.setString(5, request.token());
        if (update.executeUpdate() > 0) {
            return granted(session, update, request);
        }
        Optional<LeaseRow> known = read(session, request.key());
        if (known.isEmpty()) {
            return insert(session, request);
        }
        return known.filter(row -> row.isHeld()).orElse(null);
    }

    @Override
    String purge() {
        return PURGE;
    }

    private @Nullable LeaseRow insert(Session session, LeaseRequest request) throws SQLException {
        PreparedStatement insert = session.prepareForKeys(insertSql);
        insert.setBytes(1, request.key());
        insert.setString(2, request.name());
        insert.setString(3, request.token());
        insert.setInt(4, request.fences());
        insert.setLong(5, request.ttlMicros());
        try {
            insert.executeUpdate();
        } catch (SQLException ex) {
            if (SqlFaults.classify(ex, Dialect.MYSQL) == SqlFault.DUPLICATE) {
                return null;
            }
            throw ex;
        }
        return granted(session, insert, request);
    }

    private @Nullable LeaseRow granted(Session session, PreparedStatement done, LeaseRequest request)
            throws SQLException {
        try (ResultSet keys = done.getGeneratedKeys()) {
            if (keys.next() && keys.getLong(1) > 0) {
                return new LeaseRow(request.token(), keys.getLong(1), request.ttlMicros());
            }
        }
        return read(session, request.key())
                .filter(row -> row.isHeldBy(request.token()))
                .orElse(null);
    }
}
