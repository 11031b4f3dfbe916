package io.leasehold.jdbc.connection;

import java.sql.SQLException;
import java.util.Optional;

/**
 * The storage engines of MariaDB and MySQL that have no transactions, such as MyISAM and MEMORY. They ignore {@code FOR
 * UPDATE}, so that two transactions lock the same row.
 */
public final class StorageEngine {

    private StorageEngine() {}

    /**
     * The engine of a table, if it has no transactions.
     *
     * @param table the table's name, with its schema as a prefix if needed; it is inserted into SQL
     */
    public static Optional<String> withoutTransactions(LockConnection session, String table) throws SQLException {
        if (!session.dialect().isMySqlFamily()) {
            return Optional.empty();
        }
        int dot = table.lastIndexOf('.');
        String schema = dot < 0 ? "DATABASE()" : "'" + table.substring(0, dot) + "'";
        String engine = session.queryForText(
                "SELECT engine FROM information_schema.tables JOIN information_schema.engines USING (engine)"
                        + " WHERE transactions = 'NO' AND table_schema = " + schema + " AND table_name = '"
                        + table.substring(dot + 1) + "'");
        return engine.isEmpty() ? Optional.empty() : Optional.of(engine);
    }
}
