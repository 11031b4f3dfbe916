package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.SqlError;
import io.leasehold.jdbc.connection.TableName;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.SafetyFinding;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The unique key of a table with a row for each lock. Without it, two processes insert a row each for the same lock, and
 * both hold it.
 *
 * <p>An index is sufficient if its columns are {@code key_hash}, {@code lock_key} or both, without expressions. In the MySQL
 * family, a unique index that has {@code lock_key} and lacks {@code key_hash} is refused, because the column's collation may
 * not tell keys apart that differ in case or trailing spaces: an upsert for the one lock then changes the row of the other.
 *
 * <p>A view is not looked into, nor is anything else that the catalogue does not describe as an ordinary table: such a
 * table is not refused.
 */
public final class UniqueKey {

    private static final String MISSING = "it has no primary key or unique index of column key_hash alone, so that two"
            + " processes may hold the same lock";

    private static final String COLUMNS = "('key_hash', 'lock_key')";

    private static final String NAME_POSTGRES = """
            SELECT relname FROM pg_class t
            WHERE oid = to_regclass('%1$s') AND relkind IN ('r', 'p') AND NOT EXISTS (
                SELECT FROM pg_index i
                WHERE indrelid = t.oid AND (indisunique OR indisexclusion) AND indisvalid
                    AND indpred IS NULL AND indexprs IS NULL
                    AND NOT EXISTS (
                        SELECT FROM pg_attribute a
                        WHERE attrelid = t.oid AND attnum = ANY ((indkey::int2[])[0:indnkeyatts - 1])
                            AND attname NOT IN %2$s))""";

    private static final String NAME_MYSQL = """
            SELECT table_name FROM information_schema.tables
            WHERE table_schema = %1$s AND table_name = '%2$s' AND table_type = 'BASE TABLE' AND NOT EXISTS (
                SELECT 1 FROM information_schema.statistics
                WHERE table_schema = %1$s AND table_name = '%2$s' AND non_unique = 0
                GROUP BY index_name HAVING SUM(COALESCE(LOWER(column_name) NOT IN %3$s, 1)) = 0
                    AND SUM(LOWER(column_name) = 'key_hash') = 1)""";

    private static final String MERGING_MYSQL = """
            SELECT index_name FROM information_schema.statistics
            WHERE table_schema = %1$s AND table_name = '%2$s' AND non_unique = 0
            GROUP BY index_name HAVING SUM(COALESCE(LOWER(column_name) = 'lock_key', 0)) > 0
                AND SUM(COALESCE(LOWER(column_name) = 'key_hash', 0)) = 0
            ORDER BY index_name LIMIT 1""";

    private static final String INDEX_MYSQL = """
            SELECT index_name FROM information_schema.statistics
            WHERE table_schema = %1$s AND table_name = '%2$s' AND non_unique = 0 AND seq_in_index = 1
                AND LOWER(column_name) = 'key_hash'
            ORDER BY index_name = 'PRIMARY' DESC LIMIT 1""";

    private static final String NAME_H2 = """
            SELECT table_name FROM information_schema.tables
            WHERE UPPER(table_schema) = UPPER(%1$s) AND UPPER(table_name) = UPPER('%2$s')
                AND table_type = 'BASE TABLE' AND NOT EXISTS (
                    SELECT 1 FROM information_schema.index_columns
                    WHERE UPPER(table_schema) = UPPER(%1$s) AND UPPER(table_name) = UPPER('%2$s') AND is_unique
                    GROUP BY index_name HAVING SUM(CASE WHEN LOWER(column_name) IN %3$s THEN 0 ELSE 1 END) = 0)""";

    private UniqueKey() {}

    /**
     * Fails if the table may have several rows for one lock, or one for several.
     *
     * @param table the table's name, with its schema as a prefix if needed; it is inserted into SQL
     */
    public static void require(LockConnection session, String table) throws SQLException {
        Optional<SafetyFinding> fault = fault(session, table);
        if (fault.isPresent()) {
            throw new BackendFailure(
                    Effect.REFUSED,
                    "table '" + table + "' is unsafe: " + fault.get().finding() + ". "
                            + fault.get().nextStep(),
                    null);
        }
    }

    /** Why the table may have several rows for one lock, or one for several; empty if the catalogue does not tell. */
    public static Optional<SafetyFinding> fault(LockConnection session, String table) throws SQLException {
        try {
            boolean isMissing = isMissing(session, table);
            String merging = merging(session, table);
            String simple = new TableName(table).simple();
            if (!merging.isEmpty()) {
                return Optional.of(new SafetyFinding(
                        "table " + table,
                        "its unique index '" + merging
                                + "' has column lock_key and not key_hash, so that keys that differ"
                                + " only in case or trailing spaces may be the same lock",
                        "Run: ALTER TABLE " + table
                                + (merging.equals("PRIMARY")
                                        ? " DROP PRIMARY KEY"
                                        : " DROP INDEX `" + merging.replace("`", "``") + "`")
                                + (isMissing ? ", ADD UNIQUE INDEX " + simple + "_key_hash (key_hash)" : "")));
            }
            return isMissing
                    ? Optional.of(new SafetyFinding(
                            "table " + table,
                            MISSING,
                            "Remove rows with the same key_hash, then run: CREATE UNIQUE INDEX " + simple
                                    + "_key_hash ON " + table + " (key_hash)"))
                    : Optional.empty();
        } catch (SQLException ex) {
            return switch (SqlError.classify(ex, session.dialect())) {
                // the user may not read the catalogue, or the database has another one
                case REFUSED, MISSING_TABLE, MISSING_COLUMN -> Optional.empty();
                default -> throw ex;
            };
        }
    }

    private static boolean isMissing(LockConnection session, String table) throws SQLException {
        TableName name = new TableName(table);
        String query = switch (session.dialect()) {
            case POSTGRESQL -> NAME_POSTGRES.formatted(table, COLUMNS);
            case MYSQL, MARIADB -> NAME_MYSQL.formatted(name.schemaOr("DATABASE()"), name.simple(), COLUMNS);
            case H2 -> NAME_H2.formatted(name.schemaOr("SCHEMA()"), name.simple(), COLUMNS);
        };
        return !session.queryForText(query).isEmpty();
    }

    /** A unique index of the readable key, in the MySQL family; otherwise empty. */
    private static String merging(LockConnection session, String table) throws SQLException {
        TableName name = new TableName(table);
        return session.dialect().isMySqlFamily()
                ? session.queryForText(MERGING_MYSQL.formatted(name.schemaOr("DATABASE()"), name.simple()))
                : "";
    }

    /**
     * The hint that names its index in a statement of the MySQL family; empty for other databases, and for a view, which
     * has no index. Without the hint, MariaDB reads all rows of a small table. With {@code innodb_snapshot_isolation},
     * which is on by default since MariaDB 11.6, it then waits for any locked row. MySQL's driver leads to MariaDB, too.
     */
    static String indexHint(LockConnection session, String table) throws SQLException {
        if (!session.dialect().isMySqlFamily()) {
            return "";
        }
        TableName name = new TableName(table);
        String index = session.queryForText(INDEX_MYSQL.formatted(name.schemaOr("DATABASE()"), name.simple()));
        return index.isEmpty() ? "" : " FORCE INDEX (`" + index.replace("`", "``") + "`)";
    }
}
