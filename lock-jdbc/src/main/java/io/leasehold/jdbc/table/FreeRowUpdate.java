package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.LockConnection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Acquires a free lock that has a row, in the MySQL family, with a plain update. MySQL returns no rows from an update.
 * {@code LAST_INSERT_ID(expression)} therefore returns the new fence in the answer itself, where drivers expose it as a
 * generated key. The fence always changes, so the update count is one, whether the driver counts matched or changed
 * rows.
 */
final class FreeRowUpdate {

    private final LeaseTable table;

    private final String sql;

    FreeRowUpdate(LeaseTable table) {
        this.table = table;
        this.sql = table.sql("""
                UPDATE {table} SET
                    fence = LAST_INSERT_ID(GREATEST(fence + fences, {now})),
                    fences = ?,
                    token = ?,
                    holder = ?,
                    expires_at = {now} + ?,
                    written_at = {now}
                WHERE key_hash = ? AND expires_at <= {now}""");
    }

    /** The row after the update; {@code null} if the lock is not free, or has no row. */
    @Nullable
    LeaseRow take(LockConnection session, LeaseRequest request) throws SQLException {
        PreparedStatement update = session.prepareForKeys(sql);
        request.bindUpdate(update);
        if (update.executeUpdate() == 0) {
            return null;
        }
        LeaseRow granted = granted(update, request);
        return granted == null
                ? table.read(session, request.key())
                        .filter(row -> row.isHeldBy(request.token()))
                        .orElse(null)
                : granted;
    }

    /** The row after a statement that may have acquired the lock; {@code null} if its answer has no fence. */
    static @Nullable LeaseRow granted(PreparedStatement done, LeaseRequest request) throws SQLException {
        try (ResultSet keys = done.getGeneratedKeys()) {
            return keys.next() && keys.getLong(1) > 0
                    ? new LeaseRow(request.token(), keys.getLong(1), request.ttlMicros())
                    : null;
        }
    }
}
