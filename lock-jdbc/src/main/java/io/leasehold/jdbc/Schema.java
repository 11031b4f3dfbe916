package io.leasehold.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/**
 * The tables of a kind of lock: how to create them, from the resources {@code schema*-<database>.sql} of this package, and
 * how to bring those of older versions up to date, from {@code upgrade*-<database>.sql}.
 */
final class Schema {

    private final String kind;

    private final String property;

    private final String defaultTable;

    private final String table;

    private Schema(String kind, String property, String defaultTable, String table) {
        this.kind = kind;
        this.property = property;
        this.defaultTable = defaultTable;
        this.table = table;
    }

    /** The lease table. */
    static Schema ofLeases(String table) {
        return new Schema("", "lock.jdbc.initialize-schema", new JdbcLockOptions().table(), table);
    }

    /** The table of row locks and that of their fencing tokens. */
    static Schema ofRowLocks(String table) {
        return new Schema("-row", "lock.row-lock.initialize-schema", new RowLockOptions().table(), table);
    }

    /** What to do about a missing table. */
    String advice(Dialect dialect) {
        return "Create what is missing, by your migration tool or by hand, or have it created at start-up" + " ("
                + property + "):\n" + sql("schema", dialect);
    }

    /** What to do about a table of an older version. */
    String upgradeAdvice(Dialect dialect) {
        return "The table is of an older version. Upgrade it, by your migration tool or by hand, or have it upgraded at"
                + " start-up (" + property + "):\n" + sql("upgrade", dialect);
    }

    /**
     * Creates what is missing, and upgrades what is old. If another instance does the same at the same moment, one of them
     * has to look again.
     *
     * @param check fails if a table is not as it should be
     */
    void create(Session session, SqlWork<?> check) throws SQLException {
        for (String statement : statements("schema", session.dialect())) {
            try {
                session.execute(statement);
            } catch (SQLException raced) {
                session.execute(statement);
            }
        }
        try {
            check.run(session);
        } catch (SQLException ex) {
            if (SqlFaults.classify(ex, session.dialect()) != SqlFault.MISSING_COLUMN) {
                throw ex;
            }
            upgrade(session, check);
        }
    }

    private void upgrade(Session session, SqlWork<?> check) throws SQLException {
        try {
            for (String statement : statements("upgrade", session.dialect())) {
                session.execute(statement);
            }
        } catch (SQLException raced) {
            try {
                check.run(session);
            } catch (SQLException ex) {
                raced.addSuppressed(ex);
                throw raced;
            }
        }
    }

    private List<String> statements(String action, Dialect dialect) {
        return Arrays.stream(sql(action, dialect).replaceAll("--[^\n]*", "").split(";"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    private String sql(String action, Dialect dialect) {
        String resource = action + kind + "-" + dialect.schema() + ".sql";
        try (InputStream in = Schema.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("resource '" + resource + "' is missing beside " + Schema.class);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace(defaultTable, table);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
