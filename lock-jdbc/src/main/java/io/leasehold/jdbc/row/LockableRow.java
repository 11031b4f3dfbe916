package io.leasehold.jdbc.row;

import io.leasehold.jdbc.SqlNames;
import java.util.Objects;

/**
 * A row of a business table.
 *
 * @param table the table's name, with its schema in front if need be; it goes into SQL unquoted
 * @param keyColumn the column that names one row, its primary key or another with a unique index
 * @param key the column's value in that row, of a type that the driver knows
 */
public record LockableRow(String table, String keyColumn, Object key) {

    /** Refuses what is no name. */
    public LockableRow {
        SqlNames.requireTable("table", table);
        SqlNames.requireColumn("keyColumn", keyColumn);
        Objects.requireNonNull(key, "key");
    }
}
