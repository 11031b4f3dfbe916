package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.LockConnection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lease table in PostgreSQL where releases are told. Who waits writes into the row that it wants to
 * hear of the release. A release of such a row takes a second statement, which sends a message: commits that do wait for
 * each other, so nobody else shall pay for it.
 *
 * <p>A mark that is written before the release is seen by it, since both change the row. One that would come after it
 * finds the lock free and is not written. Fencing tokens go with the time, so a mark that is a little above them holds for
 * the present grant, however long it lasts, and for those that follow soon.
 */
public final class PostgresNotifyingLeaseTable extends PostgresLeaseTable {

    /** Where the messages are heard. */
    public static final String CHANNEL = "leasehold";

    private static final long MICROS_OF_GRANTS_TO_FOLLOW = 2_500_000;

    private static final String AND_TELL = " RETURNING pg_notify('" + CHANNEL + "', fence || ' ' || lock_key)";

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
