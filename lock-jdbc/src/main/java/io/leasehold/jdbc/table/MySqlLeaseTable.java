package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.LockConnection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lease table in MySQL.
 *
 * <ol>
 *   <li>If the key has had a row lately, update the row if it is free, see {@link FreeRowUpdate}, or read the row to
 *       find the holder.
 *   <li>Otherwise an upsert inserts the row, acquires a free row, or renews a row that is held under the same token,
 *       because a command was sent a second time. It leaves any other row unchanged. {@code LAST_INSERT_ID(expression)}
 *       returns the fence of a row that was inserted or was free, and zero for any other row.
 *   <li>If the answer has no fence, read the row to find the holder.
 * </ol>
 *
 * <p>Assignments are evaluated from left to right, and each sees those before it. The fences are therefore assigned
 * first, while token and expiry still have their old values. The token and its holder are assigned next, while the
 * expiry still has its old value. The expiry and the time of writing are assigned last, and depend on whether the lock
 * was free or the token is that of the request. MariaDB's mode SIMULTANEOUS_ASSIGNMENT, which is part of ORACLE, shows
 * each assignment the old values. All of them have the same result then.
 */
final class MySqlLeaseTable extends LeaseTable {

    static final String PURGE = "DELETE FROM {table} WHERE expires_at <= {now} AND fence + fences < {now} - ? LIMIT ?";

    /** The assignments of an upsert to an existing row, after that of the fence. */
    static final String ASSIGNMENTS = """
            fences = IF(expires_at <= {now}, VALUES(fences), fences),
            token = IF(expires_at <= {now}, VALUES(token), token),
            holder = IF(expires_at <= {now}, VALUES(holder), holder),
            expires_at = IF(expires_at <= {now} OR token = VALUES(token),
                GREATEST({expiry}, VALUES(expires_at)), expires_at),
            written_at = IF(expires_at <= {now} OR token = VALUES(token), VALUES(written_at), written_at)""";

    private final FreeRowUpdate free = new FreeRowUpdate(this);

    private final RecentKeys recent = new RecentKeys();

    private final String upsertSql;

    MySqlLeaseTable(String table) {
        super(DatabaseDialect.MYSQL, table);
        // The argument for zero depends on the row, so that it is evaluated after LAST_INSERT_ID of the new row.
        upsertSql = sql("""
                INSERT INTO {table} (key_hash, lock_key, token, holder, fence, fences, expires_at, written_at)
                VALUES (?, ?, ?, ?, LAST_INSERT_ID({now}), ?, {now} + ?, {now})
                ON DUPLICATE KEY UPDATE
                    fence = IF(expires_at <= {now},
                        LAST_INSERT_ID(GREATEST(fence + fences, {now})),
                        fence + LAST_INSERT_ID(fence - fence)),
                    %s""".formatted(ASSIGNMENTS));
    }

    @Override
    @Nullable
    LeaseRow acquire(LockConnection session, LeaseRequest request) throws SQLException {
        if (recent.contains(request.key())) {
            LeaseRow taken = free.take(session, request);
            if (taken != null) {
                return taken;
            }
            Optional<LeaseRow> known = read(session, request.key());
            if (known.isPresent() && !known.get().isHeldBy(request.token())) {
                return known.filter(LeaseRow::isHeld).orElse(null);
            }
        }
        recent.add(request.key());
        return upsert(session, request);
    }

    @Override
    public String purge() {
        return PURGE;
    }

    private @Nullable LeaseRow upsert(LockConnection session, LeaseRequest request) throws SQLException {
        PreparedStatement upsert = session.prepareForKeys(upsertSql);
        request.bindRow(upsert, 1);
        upsert.executeUpdate();
        LeaseRow taken = FreeRowUpdate.granted(upsert, request);
        return taken == null
                ? read(session, request.key()).filter(LeaseRow::isHeld).orElse(null)
                : taken;
    }
}
