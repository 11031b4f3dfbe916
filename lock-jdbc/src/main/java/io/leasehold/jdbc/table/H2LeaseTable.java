package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.SqlError;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lease table in H2. A conditional update acquires the lock and returns the row. If it updates nothing, the row is
 * read to find the holder, or inserted if it is missing.
 */
final class H2LeaseTable extends LeaseTable {

    private final String updateSql;

    private final String insertSql;

    H2LeaseTable(String table) {
        super(DatabaseDialect.H2, table);
        updateSql = sql("""
                SELECT token, fence, expires_at - {now} FROM FINAL TABLE (
                    UPDATE {table} SET
                        fence = CASE WHEN expires_at > {now} THEN fence
                                ELSE GREATEST(fence + fences, {now}) END,
                        fences = CASE WHEN expires_at > {now} THEN fences ELSE ? END,
                        token = ?,
                        expires_at = GREATEST({expiry}, {now} + ?),
                        written_at = {now}
                    WHERE key_hash = ? AND (expires_at <= {now} OR token = ?))""");
        insertSql = sql("""
                SELECT token, fence, expires_at - {now} FROM FINAL TABLE (
                    INSERT INTO {table} (key_hash, lock_key, token, fence, fences, expires_at, written_at)
                    VALUES (?, ?, ?, {now}, ?, {now} + ?, {now}))""");
    }

    @Override
    @Nullable
    LeaseRow acquire(LockConnection session, LeaseRequest request) throws SQLException {
        PreparedStatement update = session.prepare(updateSql);
        update.setInt(1, request.fences());
        update.setString(2, request.token());
        update.setLong(3, request.ttlMicros());
        update.setBytes(4, request.key());
        update.setString(5, request.token());
        try (ResultSet rows = update.executeQuery()) {
            LeaseRow granted = row(rows);
            if (granted != null) {
                return granted;
            }
        }
        Optional<LeaseRow> known = read(session, request.key());
        if (known.isEmpty()) {
            return insert(session, request);
        }
        return known.filter(LeaseRow::isHeld).orElse(null);
    }

    @Override
    public String purge() {
        return "DELETE FROM {table} WHERE expires_at <= {now} AND fence + fences < {now} - ? FETCH FIRST ? ROWS ONLY";
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
        } catch (SQLException ex) {
            if (SqlError.classify(ex, DatabaseDialect.H2) == SqlError.DUPLICATE) {
                return null;
            }
            throw ex;
        }
    }
}
