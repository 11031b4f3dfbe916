package io.leasehold.backend.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * The lease table in PostgreSQL where releases are told, see {@link Notices}. Who waits writes into the row until when it
 * wants to hear of a release, and only such a release sends a message: commits that do wait for each other, so nobody else
 * shall pay for it.
 *
 * <p>A mark that is written before the release is seen by it, since both change the row. One that would come after it
 * finds the lock free and is not written.
 */
final class NoticeLeaseTable extends PostgresLeaseTable {

    private static final long WANTED_MICROS = 2_500_000;

    private static final long WRITTEN_AGAIN_MICROS = 1_500_000;

    private static final long RELIED_ON_MICROS = 1_000_000;

    private final String askSql;

    NoticeLeaseTable(String table) {
        super(table);
        askSql = sql("""
                UPDATE {table} SET wanted_until = {now} + %d WHERE key_hash IN (
                    SELECT key_hash FROM {table}
                    WHERE expires_at > {now} AND wanted_until < {now} + %d AND key_hash IN (""".formatted(WANTED_MICROS, WRITTEN_AGAIN_MICROS));
    }

    @Override
    String tell() {
        return """
                CASE WHEN wanted_until > {now}
                THEN length(pg_notify('%s', encode(key_hash, 'hex') || ' ' || fence)::text)
                ELSE 0 END""".formatted(Notices.CHANNEL);
    }

    @Override
    String tells() {
        return "wanted_until > {now} + " + RELIED_ON_MICROS;
    }

    @Override
    void askToBeTold(Session session, List<byte[]> keys) throws SQLException {
        int slots = Parameters.slots(keys.size());
        PreparedStatement ask = session.prepare(askSql + Parameters.list(slots) + ") FOR NO KEY UPDATE SKIP LOCKED)");
        Parameters.bind(ask, 1, slots, keys);
        ask.executeUpdate();
    }
}
