package io.leasehold.jdbc.row;

import io.leasehold.LockState;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.SqlError;
import io.leasehold.spi.BackendFailure;
import io.leasehold.support.Ticker;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Runs work inside the transaction that holds the lock on a business row: {@code SELECT ... FOR UPDATE}, the work,
 * {@code COMMIT}. Lock and work are therefore committed together.
 *
 * <p>Such a lock needs neither ttl nor fencing token: changes that the work makes on that connection are committed
 * under the lock or not at all. Effects of the work elsewhere are not protected. Instances are thread-safe.
 */
public final class RowLocks {

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration LONGEST_WAIT = Duration.ofDays(3650);

    private final ExclusionCheck check = new ExclusionCheck();

    private final Ticker clock = Ticker.system();

    private final DataSource dataSource;

    /**
     * Creates the locks of a database.
     *
     * @param dataSource where the connections come from. Each call takes one, which is never that of the caller's
     *     transaction, unless the data source itself returns that connection
     */
    public RowLocks(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Locks a row, runs the work, and commits.
     *
     * @param row the row to lock; it has to exist
     * @param waitTime the longest time to wait for the lock, rounded up to seconds by databases of the MySQL family, and
     *     up to a second longer behind other waiters in PostgreSQL; zero to try once. If a holder replaces the row at the
     *     end of the wait, up to twice that time
     * @param work the work to run on the connection; it must neither commit nor close it. No time limit of the
     *     locks applies to its statements and to the commit: they wait for other locks and for the database's answers
     *     as long as the connection's own settings say
     * @param <T> the type of the work's result
     * @return the work's result; empty if another transaction held the lock for the whole wait time, or if PostgreSQL
     *     needed a second more to find and lock the row, in which cases the work did not run
     * @throws SQLException the exception of the work, after a rollback; or that of the commit, in which case it is
     *     unknown whether the work was committed
     * @throws NullPointerException if the work returns null, after a rollback
     * @throws IllegalArgumentException if the row does not exist, or if the wait time is negative
     * @throws BackendFailure if the database is a Galera cluster, or one of Group Replication in multi-primary mode, whose
     *     nodes do not share row locks, if the table's storage engine has no row locks, or if the driver replays
     *     transactions. The work did not run
     */
    public <T> Optional<T> inTransaction(LockableRow row, Duration waitTime, RowWork<T> work) throws SQLException {
        if (waitTime.isNegative()) {
            throw new IllegalArgumentException(
                    "'waitTime' must not be negative: " + waitTime + ". Set it to zero or more");
        }
        Duration longest = waitTime.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : waitTime;
        try (LockConnection session = LockConnection.borrow(dataSource, longest, COMMAND_TIMEOUT.plus(longest))) {
            check.requireExclusion(session, row.table());
            session.begin();
            if (!isLocked(session, row, longest)) {
                return Optional.empty();
            }
            session.waitAsBorrowed();
            // before the commit: an empty result would say that the work did not run
            Optional<T> result = Optional.of(work.run(session.connection()));
            session.connection().commit();
            return result;
        }
    }

    private boolean isLocked(LockConnection session, LockableRow row, Duration waitTime) throws SQLException {
        String find = "SELECT 1 FROM " + row.table() + " WHERE " + row.keyColumn() + " = ?";
        long start = clock.nanos();
        do {
            try {
                if (finds(session, find + " FOR UPDATE" + (waitTime.isZero() ? " SKIP LOCKED" : ""), row)) {
                    return true;
                }
            } catch (SQLException ex) {
                boolean isWaitOver = !waitTime.isZero()
                        && SqlError.QUERY_CANCELED.equals(ex.getSQLState())
                        && clock.nanos() - start >= waitTime.toNanos();
                if (isWaitOver || SqlError.classify(ex, session.dialect()) == SqlError.ROW_LOCKED) {
                    return false;
                }
                throw ex;
            }
            if (!finds(session, find, row)) {
                throw new IllegalArgumentException("there is no row in '" + row.table() + "' whose '" + row.keyColumn()
                        + "' is '" + LockState.printable(String.valueOf(row.key())) + "'");
            }
            // a holder may have replaced the row: a statement of PostgreSQL that waited for it does not see the new one
        } while (clock.nanos() - start < waitTime.toNanos());
        return false;
    }

    private static boolean finds(LockConnection session, String sql, LockableRow row) throws SQLException {
        try (PreparedStatement find = session.connection().prepareStatement(sql)) {
            find.setObject(1, row.key());
            try (ResultSet rows = find.executeQuery()) {
                return rows.next();
            }
        }
    }
}
