package io.leasehold.jdbc.row;

import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.table.KeyHash;
import io.leasehold.jdbc.table.LeaseOperations;
import io.leasehold.jdbc.table.LeaseStates;
import io.leasehold.spi.LockId;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Reads the states of row locks for people. PostgreSQL keeps the transaction that locked a row in the row, and shows
 * which transactions are running; the row of the fencing tokens has the holder. Other databases show row locks only to
 * administrators, or to a statement that tries to lock the row and so disturbs callers.
 */
final class RowStates {

    private final String lockedRowsSql;

    private final String lockedSql;

    private final LeaseStates fences;

    RowStates(String table, LeaseOperations fences) {
        this.fences = new LeaseStates(fences);
        lockedRowsSql = "SELECT key_hash FROM " + table + " locked JOIN pg_locks ON locktype = 'transactionid'"
                + " AND transactionid = locked.xmax AND granted";
        lockedSql = "SELECT EXISTS (" + lockedRowsSql + " WHERE key_hash = ?)";
    }

    LockState describe(LockConnection session, LockId id) throws SQLException {
        if (session.dialect() != DatabaseDialect.POSTGRESQL) {
            return new LockState.Unknown("this database does not show whether a row is locked");
        }
        if (!isLocked(session, id)) {
            return new LockState.Free();
        }
        LockState holder = fences.describe(session, id);
        // locked by another client, or by a process that has not written its fencing tokens yet
        return holder instanceof Held
                ? holder
                : new Held(Kind.HOLDER, null, null, null, OptionalLong.empty(), OptionalInt.empty());
    }

    LockListing list(LockConnection session, String namespace, int limit) throws SQLException {
        return session.dialect() == DatabaseDialect.POSTGRESQL
                ? fences.list(session, namespace, limit, " AND key_hash IN (" + lockedRowsSql + ")")
                : LockListing.unknown("this database does not show which rows are locked");
    }

    private boolean isLocked(LockConnection session, LockId id) throws SQLException {
        PreparedStatement read = session.prepare(lockedSql);
        read.setBytes(1, KeyHash.of(id));
        try (ResultSet rows = read.executeQuery()) {
            return rows.next() && rows.getBoolean(1);
        }
    }
}
