package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.LockConnection;
import java.sql.SQLException;

/**
 * The unique index by which renewals find their rows in the MySQL family. Without a hint, MariaDB reads all rows of a small
 * table. With {@code innodb_snapshot_isolation}, which is on by default since MariaDB 11.6, it then waits for any locked
 * row. MySQL's driver leads to MariaDB, too. A view has no index and takes no hint.
 */
final class KeyIndex {

    private final String query;

    private volatile String hint = "";

    KeyIndex(String table) {
        int dot = table.lastIndexOf('.');
        query = "SELECT index_name FROM information_schema.statistics WHERE table_schema = "
                + (dot < 0 ? "DATABASE()" : "'" + table.substring(0, dot) + "'") + " AND table_name = '"
                + table.substring(dot + 1)
                + "' AND non_unique = 0 AND seq_in_index = 1 AND LOWER(column_name) = 'key_hash'"
                + " ORDER BY index_name = 'PRIMARY' DESC LIMIT 1";
    }

    /** Asks the database for the index. */
    void find(LockConnection session) throws SQLException {
        String name = session.queryForText(query);
        hint = name.isEmpty() ? "" : " FORCE INDEX (`" + name.replace("`", "``") + "`)";
    }

    /** The table in a statement that renews leases. */
    String rowsToRenew() {
        return "{table}" + hint;
    }
}
