package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.SqlError;
import io.leasehold.jdbc.connection.SqlRunner;
import io.leasehold.jdbc.connection.SqlWork;
import io.leasehold.spi.LockId;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the locks whose rows another transaction kept locked for the whole lock wait. Until an operation on such a
 * lock succeeds, each one begins with a check that does not wait. A row that stays locked therefore blocks a connection
 * for one lock wait, and not again for each attempt. Even if there are as many such rows as connections, the
 * connections remain available to other locks.
 *
 * <p>A lock whose operation was not answered is remembered as well: the lock wait, which some databases round up to
 * seconds, may be longer than a connection waits for an answer.
 */
public final class BlockedRows {

    private static final int MOST = 1_000;

    private static final int LOOKS = 3;

    private final Set<LockId> known = ConcurrentHashMap.newKeySet();

    private final LeaseOperations leases;

    public BlockedRows(LeaseOperations leases) {
        this.leases = leases;
    }

    /** Wraps work on a lock so that it does not wait for the row if the previous work on that lock waited in vain. */
    public <T> SqlWork<T> guarded(LockId id, SqlWork<T> work) {
        return session -> {
            if (!known.isEmpty() && known.contains(id)) {
                requireUnlocked(session, id);
            }
            try {
                T done = work.run(session);
                if (!known.isEmpty()) {
                    known.remove(id);
                }
                return done;
            } catch (SQLException ex) {
                if (waitedInVain(session, ex) || SqlError.classify(ex, session.dialect()) == SqlError.NO_ANSWER) {
                    remember(id);
                }
                throw ex;
            }
        };
    }

    /** Checks a few times, since most rows are locked only for a moment. */
    private void requireUnlocked(LockConnection session, LockId id) throws SQLException {
        byte[] key = KeyHash.of(id);
        for (int look = 1; leases.table(session).isLocked(session, key); look++) {
            if (look == LOOKS) {
                throw new SQLException("it still is, since the last statement waited for it", "55P03");
            }
            SqlRunner.pause(look);
        }
    }

    /** Whether an operation has waited for its row. Behind a pooler, the query timeout ends the wait. */
    static boolean waitedInVain(LockConnection session, SQLException ex) {
        return SqlError.classify(ex, session.dialect()) == SqlError.ROW_LOCKED
                || session.isPooled() && SqlError.QUERY_CANCELED.equals(ex.getSQLState());
    }

    private void remember(LockId id) {
        if (known.size() >= MOST) {
            known.clear();
        }
        known.add(id);
    }
}
