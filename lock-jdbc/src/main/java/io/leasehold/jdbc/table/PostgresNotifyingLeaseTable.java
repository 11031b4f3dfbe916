package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.LockConnection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lease table in PostgreSQL with notifications of releases. A waiter marks the row to request a notification. The
 * release of a marked row takes a second statement, which sends the notification. Commits that notify wait for each
 * other, so releases without waiters avoid them. Every role that may connect can listen, so a notification has the hash of
 * the key and not the key.
 *
 * <p>A release sees a mark that was written before it, since both change the row. A mark that would follow the release
 * finds the lock free and is not written. Fencing tokens follow the time. A mark that is slightly above the fence is
 * therefore valid for the present grant, however long it lasts, and for grants that follow soon.
 */
public final class PostgresNotifyingLeaseTable extends PostgresLeaseTable {

    /** The channel of the notifications. */
    public static final String CHANNEL = "leasehold";

    private static final long MICROS_OF_GRANTS_TO_FOLLOW = 2_500_000;

    private static final String AND_TELL =
            " RETURNING pg_notify('" + CHANNEL + "', fence || ' ' || encode(key_hash, 'hex'))";

    private final HandoffGracePeriod gracePeriod;

    private final String takeUnlessWantedSql;

    private final String releaseAndTellSql;

    private final String keepAndTellSql;

    private final String askSql;

    PostgresNotifyingLeaseTable(String table, HandoffGracePeriod gracePeriod) {
        super(table);
        this.gracePeriod = gracePeriod;
        takeUnlessWantedSql = takeSql(" AND NOT ({notifies})");
        releaseAndTellSql = releaseSql("0") + AND_TELL;
        keepAndTellSql = releaseSql(AFTER_A_TIME) + AND_TELL;
        askSql = sql("""
                UPDATE {table} SET told_below = GREATEST(fence, {now}) + %d WHERE key_hash IN (
                    SELECT key_hash FROM {table}
                    WHERE expires_at > {now} AND NOT ({notifies}) AND key_hash IN (""".formatted(MICROS_OF_GRANTS_TO_FOLLOW));
    }

    @Override
    @Nullable
    LeaseRow acquire(LockConnection session, LeaseRequest request) throws SQLException {
        boolean othersFirst = request.waits() && gracePeriod.isDue(request.key());
        LeaseRow taken = take(session, request, othersFirst ? takeUnlessWantedSql : takeSql);
        if (taken != null) {
            return taken;
        }
        // Marked before the row is read: a release in between either notifies, or is visible to the read.
        if (request.wantsNotification()) {
            requestNotification(session, List.of(request.key()));
        }
        LeaseRow known = read(session, request.key()).orElse(null);
        return othersFirst && known != null && !known.isHeld() && known.notifies()
                ? known.keptFor(HandoffGracePeriod.MOMENT)
                : acquireKnown(session, request, known);
    }

    @Override
    public boolean release(LockConnection session, byte[] key, String token) throws SQLException {
        // The first statement skips marked rows; the second releases a row that was marked before or in between.
        return super.release(session, key, token) || hasTold(toRelease(session, releaseAndTellSql, key, token), key);
    }

    @Override
    boolean keep(LockConnection session, byte[] key, String token, long micros) throws SQLException {
        return super.keep(session, key, token, micros)
                || hasTold(toKeep(session, keepAndTellSql, key, token, micros), key);
    }

    @Override
    String withoutNotify() {
        return " AND NOT ({notifies})";
    }

    @Override
    String notifies() {
        return "told_below > fence";
    }

    @Override
    public void requestNotification(LockConnection session, List<byte[]> keys) throws SQLException {
        int slots = InListPadding.slots(keys.size());
        PreparedStatement ask =
                session.prepare(askSql + InListPadding.list(slots) + ") FOR NO KEY UPDATE SKIP LOCKED)");
        InListPadding.bind(ask, 1, slots, keys);
        ask.executeUpdate();
    }

    private boolean hasTold(PreparedStatement release, byte[] key) throws SQLException {
        try (ResultSet rows = release.executeQuery()) {
            if (!rows.next()) {
                return false;
            }
        }
        gracePeriod.released(key);
        return true;
    }
}
