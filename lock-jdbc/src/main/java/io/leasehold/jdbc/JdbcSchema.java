package io.leasehold.jdbc;

import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.SqlError;
import io.leasehold.jdbc.connection.SqlErrorTranslator;
import io.leasehold.jdbc.connection.SqlErrorTranslator.TableAdvice;
import io.leasehold.jdbc.connection.SqlWork;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The tables of one kind of lock. They are created from the resources {@code schema*-<database>.sql} of this package,
 * and tables of older versions are upgraded from {@code upgrade*-<database>.sql}.
 */
public final class JdbcSchema implements TableAdvice {

    private final String kind;

    private final String properties;

    private final String defaultTable;

    private final String table;

    private final String rights;

    private JdbcSchema(String kind, String properties, String defaultTable, String table, String rights) {
        this.kind = kind;
        this.properties = properties;
        this.defaultTable = defaultTable;
        this.table = table;
        this.rights = rights;
    }

    /** The lease table. */
    public static JdbcSchema ofLeases(String table) {
        return new JdbcSchema(
                "", "lock.jdbc", "lock_lease", table, "SELECT, INSERT, UPDATE and DELETE on table '" + table + "'");
    }

    /** The table of row locks and the table of their fencing tokens. */
    public static JdbcSchema ofRowLocks(String table) {
        return new JdbcSchema(
                "-row",
                "lock.row-lock",
                "lock_row",
                table,
                "SELECT, INSERT and UPDATE on the tables '" + table + "' and '" + table + "_fence'");
    }

    @Override
    public String advice(DatabaseDialect dialect) {
        return "Create table '" + table + "' with " + script("schema", dialect) + ", or set '" + properties
                + ".initialize-schema' to true";
    }

    @Override
    public String upgradeAdvice(DatabaseDialect dialect) {
        return "Table '" + table + "' is of an older version. Upgrade it with " + script("upgrade", dialect)
                + ", or set '" + properties + ".initialize-schema' to true";
    }

    @Override
    public String grantAdvice() {
        return "Grant " + rights + (table.contains(".") ? ", and in PostgreSQL USAGE on its schema," : "")
                + " to the user of the locks' connections";
    }

    /** The advice for a refusal that a table of another name, or in another schema, would not meet. */
    String nameAdvice() {
        return "Correct '" + properties + ".table', or create the schema that it names";
    }

    /** The advice for a missing table with its SQL, which is long: for findings, and not for each failed call. */
    String adviceWithSql(DatabaseDialect dialect) {
        return advice(dialect) + ":\n" + sql("schema", dialect);
    }

    /** The advice for a table of an older version with its SQL. */
    String upgradeAdviceWithSql(DatabaseDialect dialect) {
        return upgradeAdvice(dialect) + ":\n" + sql("upgrade", dialect);
    }

    private String script(String action, DatabaseDialect dialect) {
        return "the script '" + resource(action, dialect) + "' of lock-jdbc (package "
                + JdbcSchema.class.getPackageName() + "), by your migration tool or by hand";
    }

    /**
     * Creates missing tables and upgrades tables of older versions. Tables that exist are not created, so that they need no
     * right to create. If another instance does the same concurrently, a failed statement is repeated, or the
     * tables are checked again.
     *
     * @param check fails if a table is missing, outdated or not writable
     * @throws BackendFailure if the database refuses to create or upgrade a table
     */
    public void create(LockConnection session, SqlWork<?> check) throws SQLException {
        try {
            upgradeIfOutdated(session, check);
        } catch (SQLException ex) {
            switch (SqlError.classify(ex, session.dialect())) {
                // REFUSED: MySQL does not tell whether a table exists that the user may not read
                case MISSING_TABLE, REFUSED -> {
                    createTables(session);
                    upgradeIfOutdated(session, check);
                }
                default -> throw ex;
            }
        }
    }

    private void upgradeIfOutdated(LockConnection session, SqlWork<?> check) throws SQLException {
        try {
            check.run(session);
        } catch (SQLException ex) {
            if (SqlError.classify(ex, session.dialect()) != SqlError.MISSING_COLUMN) {
                throw ex;
            }
            upgrade(session, check);
        }
    }

    private void createTables(LockConnection session) throws SQLException {
        for (String statement : statements("schema", session.dialect())) {
            try {
                session.execute(statement);
            } catch (SQLException raced) {
                // Another instance may have created the table concurrently; the repeated statement then finds it and
                // succeeds.
                try {
                    session.execute(statement);
                } catch (SQLException ex) {
                    throw refused("create", "schema", ex, session.dialect());
                }
            }
        }
    }

    /** Executes all statements. Some fail if the table has their columns, or if another instance is adding them. */
    private void upgrade(LockConnection session, SqlWork<?> check) throws SQLException {
        List<SQLException> failed = new ArrayList<>();
        for (String statement : statements("upgrade", session.dialect())) {
            try {
                session.execute(statement);
            } catch (SQLException ex) {
                failed.add(ex);
            }
        }
        try {
            check.run(session);
        } catch (SQLException ex) {
            if (failed.isEmpty()) {
                throw ex;
            }
            throw refused("upgrade", "upgrade", failed.get(0), session.dialect());
        }
    }

    private BackendFailure refused(String action, String script, SQLException ex, DatabaseDialect dialect)
            throws SQLException {
        if (SqlError.classify(ex, dialect) != SqlError.REFUSED) {
            throw ex;
        }
        boolean lacksRights = SqlErrorTranslator.lacksRights(ex);
        return new BackendFailure(
                Effect.REFUSED,
                "the database refused to " + action + " table '" + table + "'" + (lacksRights ? " for this user" : "")
                        + ": " + SqlErrorTranslator.words(ex) + ". "
                        + (lacksRights
                                ? "Run " + script(script, dialect) + ", or grant the user the right to " + action
                                        + " tables"
                                : nameAdvice()),
                ex);
    }

    private List<String> statements(String action, DatabaseDialect dialect) {
        return Arrays.stream(sql(action, dialect).replaceAll("--[^\n]*", "").split(";"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    private String resource(String action, DatabaseDialect dialect) {
        return action + kind + "-" + dialect.schema() + ".sql";
    }

    private String sql(String action, DatabaseDialect dialect) {
        String resource = resource(action, dialect);
        try (InputStream in = JdbcSchema.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("resource '" + resource + "' is missing beside " + JdbcSchema.class);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace(defaultTable, table);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
