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
        TableName name = new TableName(table);
        String engine = session.queryForText(
                "SELECT engine FROM information_schema.tables JOIN information_schema.engines USING (engine)"
                        + " WHERE transactions = 'NO' AND table_schema = " + name.schemaOr("DATABASE()")
                        + " AND table_name = '" + name.simple() + "'");
        return engine.isEmpty() ? Optional.empty() : Optional.of(engine);
    }
}
