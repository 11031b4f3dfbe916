package io.leasehold.jdbc.row;

import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.SqlError;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Runs work inside the very transaction that holds the lock on a row of the business, so that lock and work are committed
 * together: {@code SELECT ... FOR UPDATE}, the work, {@code COMMIT}.
 *
 * <p>Such a lock needs neither ttl nor fencing token: what the work writes on that connection is written under the lock
 * or not at all. It protects nothing that the work does elsewhere. Instances are safe for use by many threads.
 */
public final class RowLocks {

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(30);

    private final DataSource dataSource;

    /**
     * Creates the locks of a database.
     *
     * @param dataSource where the connections come from; each call takes one, which is never that of a transaction that
     *     the caller is in, unless the data source makes it so
     */
    public RowLocks(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Locks a row, runs the work, and commits.
     *
     * @param row what to lock; has to be there
     * @param waitTime the longest to wait for the lock, rounded up to seconds by databases of the MySQL family; zero to
     *     try once
     * @param work what to run on the connection; it neither commits nor closes it
     * @param <T> what the work answers
     * @return the work's answer; empty if another transaction held the lock for the whole wait time, and then the work
     *     did not run
     * @throws SQLException what the work throws, after a roll-back; or that the commit failed, and with it the work
     * @throws IllegalArgumentException if there is no such row
     */
    public <T> Optional<T> inTransaction(LockableRow row, Duration waitTime, RowWork<T> work) throws SQLException {
        try (LockConnection session = LockConnection.borrow(dataSource, waitTime, COMMAND_TIMEOUT.plus(waitTime))) {
            session.begin();
            if (!isLocked(session, row, waitTime)) {
                return Optional.empty();
            }
            T result = work.run(session.connection());
            session.connection().commit();
            return Optional.of(result);
        }
    }

    private static boolean isLocked(LockConnection session, LockableRow row, Duration waitTime) throws SQLException {
        String find = "SELECT 1 FROM " + row.table() + " WHERE " + row.keyColumn() + " = ?";
        try {
            if (finds(session, find + " FOR UPDATE" + (waitTime.isZero() ? " SKIP LOCKED" : ""), row)) {
                return true;
            }
        } catch (SQLException ex) {
            if (SqlError.classify(ex, session.dialect()) == SqlError.ROW_LOCKED) {
                return false;
            }
            throw ex;
        }
        if (!finds(session, find, row)) {
            throw new IllegalArgumentException(
                    "there is no row in '" + row.table() + "' whose '" + row.keyColumn() + "' is '" + row.key() + "'");
        }
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
