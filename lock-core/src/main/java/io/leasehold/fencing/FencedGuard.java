package io.leasehold.fencing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.regex.Pattern;

/**
 * Guards rows of a database table that have a column for the highest fencing token so far. It supports PostgreSQL,
 * MariaDB, MySQL and H2. It does not depend on Spring: the caller passes the connection of its transaction.
 *
 * <ol>
 *   <li>{@link #enter} is the transaction's first statement:
 *       {@code UPDATE ... SET fence = token WHERE key = ? AND (fence IS NULL OR fence <= token)}. It raises the row's
 *       token and keeps the row locked until the transaction ends.
 *   <li>If no row was changed, the guard reads the row's token. A greater token refuses the transaction. An equal token
 *       belongs to the same holder.
 *   <li>Afterwards the transaction reads and writes as the newest holder. The first statement waits for an older holder
 *       that is still in its transaction. An older holder that enters later is refused.
 * </ol>
 *
 * <p>The order is essential: a holder that reads before it raises the token may read data that an older holder is about
 * to change.
 *
 * <p>This class is thread-safe.
 */
public final class FencedGuard {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    private static final Pattern TABLE = Pattern.compile("(" + NAME + "\\.){0,2}" + NAME);

    private final String table;

    private final String raise;

    private final String read;

    /**
     * Creates a guard for the rows of a table.
     *
     * @param table the table, optionally qualified with a schema
     * @param keyColumn the column that identifies a row, such as the primary key
     * @param fenceColumn the column of type {@code BIGINT} with the highest token so far; may be null in rows that no
     *     holder has entered yet
     * @throws IllegalArgumentException if a name has other characters than letters, digits and '_'
     */
    public FencedGuard(String table, String keyColumn, String fenceColumn) {
        require("table", TABLE, table);
        require("keyColumn", NAME, keyColumn);
        require("fenceColumn", NAME, fenceColumn);
        this.table = table;
        this.raise = "UPDATE " + table + " SET " + fenceColumn + " = ? WHERE " + keyColumn + " = ? AND (" + fenceColumn
                + " IS NULL OR " + fenceColumn + " <= ?)";
        this.read = "SELECT " + fenceColumn + " FROM " + table + " WHERE " + keyColumn + " = ? FOR UPDATE";
    }

    /**
     * Enters a row as the holder of a lock. Raises the row's token, or refuses a stale one. The row stays locked until
     * the transaction ends. The raised token persists only if the transaction commits.
     *
     * @param connection the transaction's connection; this method neither commits nor closes it
     * @param key the key of the row, in a type that the driver accepts
     * @param fencingToken the token of the lock, {@link io.leasehold.LockHandle#fencingToken()}
     * @throws StaleFencingTokenException if a holder with a greater token has already entered the row; nothing is
     *     changed, and the transaction should be rolled back
     * @throws IllegalArgumentException if the row does not exist, or if several rows with the key would be changed; the
     *     transaction should be rolled back
     * @throws IllegalStateException if the connection is in no transaction because it is in auto-commit mode
     * @throws SQLException if the driver throws it
     */
    public void enter(Connection connection, Object key, long fencingToken) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(row(key)
                    + " was not entered: the connection commits every statement by itself, so that nothing would"
                    + " keep a later holder away between this one and the next; begin a transaction first");
        }
        if (raise(connection, key, fencingToken)) {
            return;
        }
        long newest = newest(connection, key);
        if (newest > fencingToken) {
            throw new StaleFencingTokenException(row(key), fencingToken, newest);
        }
        if (newest < fencingToken && !raise(connection, key, fencingToken)) {
            throw new IllegalStateException(row(key) + " did not take fencing token " + fencingToken);
        }
    }

    private boolean raise(Connection connection, Object key, long fencingToken) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(raise)) {
            statement.setLong(1, fencingToken);
            statement.setObject(2, key);
            statement.setLong(3, fencingToken);
            int raised = statement.executeUpdate();
            if (raised > 1) {
                throw severalRows(key);
            }
            return raised == 1;
        }
    }

    private long newest(Connection connection, Object key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(read)) {
            statement.setObject(1, key);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    throw new IllegalArgumentException(row(key) + " is not there, so there is nothing to guard");
                }
                long newest = rows.getLong(1);
                newest = rows.wasNull() ? Long.MIN_VALUE : newest;
                if (rows.next()) {
                    throw severalRows(key);
                }
                return newest;
            }
        }
    }

    private IllegalArgumentException severalRows(Object key) {
        return new IllegalArgumentException("several rows of table '" + table + "' have the key '" + key
                + "': name a key column that identifies one row, since a row that is added later would admit a holder that"
                + " the others refuse");
    }

    private String row(Object key) {
        return "row '" + key + "' of table '" + table + "'";
    }

    private static void require(String field, Pattern pattern, String name) {
        if (!pattern.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'" + field + "' must be a name of letters, digits and '_': '" + name + "'");
        }
    }
}
