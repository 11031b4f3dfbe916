package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.SqlError;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lease table in MySQL.
 *
 * <ol>
 *   <li>Update the row if it is free, see {@link FreeRowUpdate}.
 *   <li>Otherwise read the row to find the holder. If the lock is held under the same token, because a command was sent
 *       a second time, renew it.
 *   <li>If the row is missing, insert it. If another client has inserted it concurrently, retry.
 * </ol>
 */
final class MySqlLeaseTable extends LeaseTable {

    static final String PURGE = "DELETE FROM {table} WHERE expires_at <= {now} AND fence + fences < {now} - ? LIMIT ?";

    private final FreeRowUpdate free = new FreeRowUpdate(this);

    private final String renewSql;

    private final String insertSql;

    MySqlLeaseTable(String table) {
        super(DatabaseDialect.MYSQL, table);
        renewSql = plainRenewSql("key_hash = ? AND token = ? AND " + sql("expires_at > {now}"));
        insertSql = sql("""
                INSERT INTO {table} (key_hash, lock_key, token, fence, fences, expires_at, written_at)
                VALUES (?, ?, ?, LAST_INSERT_ID({now}), ?, {now} + ?, {now})""");
    }

    @Override
    @Nullable
    LeaseRow acquire(LockConnection session, LeaseRequest request) throws SQLException {
        LeaseRow taken = free.take(session, request);
        if (taken != null) {
            return taken;
        }
        Optional<LeaseRow> known = read(session, request.key());
        if (known.isEmpty()) {
            return insert(session, request);
        }
        return known.get().isHeldBy(request.token())
                ? renew(session, request)
                : known.filter(LeaseRow::isHeld).orElse(null);
    }

    @Override
    public String purge() {
        return PURGE;
    }

    private @Nullable LeaseRow renew(LockConnection session, LeaseRequest request) throws SQLException {
        PreparedStatement renew = session.prepare(renewSql);
        renew.setLong(1, request.ttlMicros());
        renew.setBytes(2, request.key());
        renew.setString(3, request.token());
        renew.executeUpdate();
        return read(session, request.key())
                .filter(row -> row.isHeldBy(request.token()))
                .orElse(null);
    }

    private @Nullable LeaseRow insert(LockConnection session, LeaseRequest request) throws SQLException {
        PreparedStatement insert = session.prepareForKeys(insertSql);
        insert.setBytes(1, request.key());
        insert.setString(2, request.name());
        insert.setString(3, request.token());
        insert.setInt(4, request.fences());
        insert.setLong(5, request.ttlMicros());
        try {
            insert.executeUpdate();
        } catch (SQLException ex) {
            if (SqlError.classify(ex, DatabaseDialect.MYSQL) == SqlError.DUPLICATE) {
                return null;
            }
            throw ex;
        }
        return free.granted(session, insert, request);
    }
}
