package io.leasehold.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/** The DDL of a kind of lock, from the resources {@code <prefix>-<database>.sql} of this package. */
final class Schema {

    private final String prefix;

    private final String defaultTable;

    private final String table;

    Schema(String prefix, String defaultTable, String table) {
        this.prefix = prefix;
        this.defaultTable = defaultTable;
        this.table = table;
    }

    String ddl(Dialect dialect) {
        String resource = prefix + "-" + dialect.schema() + ".sql";
        try (InputStream in = Schema.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("resource '" + resource + "' is missing beside " + Schema.class);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace(defaultTable, table);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** What to do about a missing table. */
    String advice(Dialect dialect) {
        return "Create what is missing, by your migration tool or by hand, or have it created at start-up"
                + " (lock.jdbc.initialize-schema):\n" + ddl(dialect);
    }

    /** Creates what is missing. If another instance does the same at the same moment, one of them has to look again. */
    void create(Session session) throws SQLException {
        for (String statement : statements(ddl(session.dialect()))) {
            try {
                session.execute(statement);
            } catch (SQLException raced) {
                session.execute(statement);
            }
        }
    }

    private static List<String> statements(String ddl) {
        return Arrays.stream(ddl.replaceAll("--[^\n]*", "").split(";"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }
}
