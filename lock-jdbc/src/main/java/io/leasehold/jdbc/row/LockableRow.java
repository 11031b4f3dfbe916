package io.leasehold.jdbc.row;

import io.leasehold.jdbc.SqlNames;
import java.util.Objects;

/**
 * A row of a business table.
 *
 * @param table the table's name, with its schema as a prefix if needed; it is inserted into SQL unquoted
 * @param keyColumn the column that identifies the row: the primary key or another column with a unique index
 * @param key the column's value in that row, of a type that the driver supports
 */
public record LockableRow(String table, String keyColumn, Object key) {

    /** Validates the names. */
    public LockableRow {
        SqlNames.requireTable("table", table);
        SqlNames.requireColumn("keyColumn", keyColumn);
        Objects.requireNonNull(key, "key");
    }
}
