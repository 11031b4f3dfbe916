package io.leasehold.jdbc.table;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState.Kind;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.spi.LockId;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Takes locks from their holders. The row's token is exchanged, and its expiry left alone, so that no renewal finds it.
 * The token that was read before is a condition of the exchange, because a token is never used for two leases. A row
 * whose token was exchanged before is written again: an exchange that was not answered may be on the primary only, and
 * the answer to the next one shows that the standby has both.
 */
public final class LeaseRevocation {

    private static final int ATTEMPTS = 20;

    private final LeaseOperations leases;

    private final Consumer<String> notification;

    /**
     * Creates revocations.
     *
     * @param notification called with the token of each lease that was revoked, also if that was done before, in a
     *     database that sends notifications; does not block
     */
    public LeaseRevocation(LeaseOperations leases, Consumer<String> notification) {
        this.leases = leases;
        this.notification = notification;
    }

    public Outcome revoke(LockConnection session, LockId id, long fencingToken) throws SQLException {
        LeaseTable table = leases.table(session);
        byte[] key = KeyHash.of(id);
        PreparedStatement read = session.prepare(
                table.sql("SELECT token, fence + fences - 1, {remaining} FROM {table} WHERE key_hash = ?"));
        for (int i = 0; i < ATTEMPTS; i++) {
            read.setBytes(1, key);
            String token;
            Kind kind;
            try (ResultSet rows = read.executeQuery()) {
                if (!rows.next() || rows.getLong(3) <= 0) {
                    return Outcome.FREE;
                }
                token = rows.getString(1);
                kind = LeaseStates.kind(token);
                if (kind == Kind.FOREIGN || rows.getLong(2) != fencingToken) {
                    return kind == Kind.FOREIGN ? Outcome.FOREIGN : Outcome.OTHER_HOLDER;
                }
            }
            if (kind == Kind.RELEASED) {
                if (table.release(session, key, token, Duration.ZERO)) {
                    return Outcome.REMOVED;
                }
            } else if (exchange(session, table, key, token) || kind == Kind.REVOKED) {
                revoked(session, token);
                return Outcome.REVOKED;
            }
        }
        throw new SQLTransientException("the row of " + id + " changed each time it was looked at", "40001");
    }

    private void revoked(LockConnection session, String token) {
        if (session.dialect().notifiesOfReleases()) {
            notification.accept(token);
        }
    }

    private static boolean exchange(LockConnection session, LeaseTable table, byte[] key, String token)
            throws SQLException {
        PreparedStatement update = session.prepare(
                table.sql("UPDATE {table} SET token = ? WHERE key_hash = ? AND token = ? AND expires_at > {now}"));
        update.setString(1, LeaseTable.revoked(token));
        update.setBytes(2, key);
        update.setString(3, token);
        return update.executeUpdate() > 0;
    }
}
