package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.SqlError;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The lease table in H2. A conditional merge inserts the row, or updates it if the lock is free or held under the same
 * token, and returns it. If it changes nothing, the row is read to find the holder. If another connection inserts the
 * row concurrently, the merge fails with a duplicate key and is retried.
 */
final class H2LeaseTable extends LeaseTable {

    private final String mergeSql;

    H2LeaseTable(String table) {
        super(DatabaseDialect.H2, table);
        mergeSql = sql("""
                SELECT token, fence, expires_at - {now} FROM FINAL TABLE (
                    MERGE INTO {table} USING (VALUES (
                        CAST(? AS BINARY(32)), CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARCHAR),
                        CAST(? AS INT), CAST(? AS BIGINT)))
                        AS wanted(wanted_hash, wanted_key, owner, owner_name, reserved, ttl)
                    ON key_hash = wanted_hash
                    WHEN MATCHED AND (expires_at <= {now} OR token = owner) THEN UPDATE SET
                        fence = CASE WHEN expires_at > {now} THEN fence
                                ELSE GREATEST(fence + fences, {now}) END,
                        fences = CASE WHEN expires_at > {now} THEN fences ELSE reserved END,
                        token = owner,
                        holder = owner_name,
                        expires_at = GREATEST({expiry}, {now} + ttl),
                        written_at = {now}
                    WHEN NOT MATCHED THEN
                        INSERT (key_hash, lock_key, token, holder, fence, fences, expires_at, written_at)
                        VALUES (wanted_hash, wanted_key, owner, owner_name, {now}, reserved, {now} + ttl, {now}))""");
    }

    @Override
    @Nullable
    LeaseRow acquire(LockConnection session, LeaseRequest request) throws SQLException {
        LeaseRow granted = merge(session, request);
        return granted == null
                ? read(session, request.key()).filter(LeaseRow::isHeld).orElse(null)
                : granted;
    }

    @Override
    public String purge() {
        return "DELETE FROM {table} WHERE expires_at <= {now} AND fence + fences < {now} - ?" + firstRows();
    }

    /** Some of H2's compatibility modes know no LIMIT. */
    @Override
    String firstRows() {
        return " FETCH FIRST ? ROWS ONLY";
    }

    private @Nullable LeaseRow merge(LockConnection session, LeaseRequest request) throws SQLException {
        PreparedStatement merge = session.prepare(mergeSql);
        request.bindRow(merge, 1);
        try (ResultSet rows = merge.executeQuery()) {
            return row(rows);
        } catch (SQLException ex) {
            if (SqlError.classify(ex, DatabaseDialect.H2) == SqlError.DUPLICATE) {
                return null;
            }
            throw ex;
        }
    }
}
