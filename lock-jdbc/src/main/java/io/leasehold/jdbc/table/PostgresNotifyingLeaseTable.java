package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.LockConnection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lease table in PostgreSQL with notifications of releases. A waiter marks the row to request a notification, and
 * the release of a marked row sends it. Commits that notify wait for each other, so releases without waiters avoid
 * them. While the server's queue of notifications is full, or another such commit waits for a standby, releases send
 * none, and waiters retry by time. Every role that may connect can listen, so a notification has the hash of the key and
 * not the key, or the end of a revoked token and not the token.
 *
 * <p>A release sees a mark that was written before it, since both change the row. A mark that would follow the release
 * finds the lock free and is not written. Fencing tokens follow the time. A mark that is slightly above the fence is
 * therefore valid for the present grant, however long it lasts, and for grants that follow soon.
 */
public final class PostgresNotifyingLeaseTable extends PostgresLeaseTable {

    /** The channel of the notifications. */
    public static final String CHANNEL = "leasehold";

    /** The beginning of a notification that a lease was revoked. The last 16 digits of its token follow. */
    public static final String REVOKED = "revoked ";

    private static final long MICROS_OF_GRANTS_TO_FOLLOW = 2_500_000;

    private final HandoffGracePeriod gracePeriod;

    private final String takeUnlessWantedSql;

    private final String takeOrInsertUnlessWantedSql;

    private final String releaseSql;

    private final String keepSql;

    private final String askSql;

    PostgresNotifyingLeaseTable(String table, HandoffGracePeriod gracePeriod) {
        super(table);
        this.gracePeriod = gracePeriod;
        takeUnlessWantedSql = takeSql(" AND NOT ({notifies})");
        takeOrInsertUnlessWantedSql = takeOrInsertSql(takeUnlessWantedSql);
        String andNotify = sql(" RETURNING {notifies}, CASE WHEN {notifies} THEN pg_notify('" + CHANNEL
                + "', fence || ' ' || encode(key_hash, 'hex'))::text END");
        releaseSql = releaseSql("0") + andNotify;
        keepSql = releaseSql(AFTER_A_TIME) + andNotify;
        askSql = sql("""
                UPDATE {table} SET told_below = GREATEST(fence, {now}) + %s WHERE key_hash IN (
                    SELECT key_hash FROM {table}
                    WHERE expires_at > {now} AND NOT ({notifies}) AND key_hash IN (""".formatted(MICROS_OF_GRANTS_TO_FOLLOW));
    }

    /**
     * Hints to the processes that listen that a lease was revoked. The notification has the end of the token, which does
     * not suffice to release the lease.
     */
    public static boolean notifyOfRevocation(LockConnection session, String token) throws SQLException {
        session.execute("NOTIFY " + CHANNEL + ", '" + REVOKED + token.substring(16) + "'");
        return true;
    }

    @Override
    @Nullable
    LeaseRow acquire(LockConnection session, LeaseRequest request) throws SQLException {
        boolean othersFirst = request.waits() && gracePeriod.isDue(request.key());
        LeaseRow taken = othersFirst
                ? take(session, request, takeUnlessWantedSql, takeOrInsertUnlessWantedSql)
                : take(session, request, takeSql, takeOrInsertSql);
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
    public boolean release(LockConnection session, byte[] key, String token, Duration retainFor) throws SQLException {
        String sql = retainFor.isZero() ? releaseSql : keepSql;
        try (ResultSet rows = toRelease(session, sql, key, token, retainFor).executeQuery()) {
            if (!rows.next()) {
                return false;
            }
            if (rows.getBoolean(1)) {
                gracePeriod.released(key);
            }
            return true;
        } catch (SQLException ex) {
            if (!isBeyondLimit(ex) && !BlockedRows.waitedInVain(session, ex)) {
                throw ex;
            }
            // it may have waited for another commit that notifies; this fails as well if it has waited for the row
            return super.release(session, key, token, retainFor);
        }
    }

    /** Whether a limit of the server was reached: that of the queue of notifications, which one idle listener can fill. */
    private static boolean isBeyondLimit(SQLException ex) {
        return ex.getSQLState() != null && ex.getSQLState().startsWith("54");
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
}
