package io.leasehold.jdbc;

import java.util.regex.Pattern;

/** Validates names of tables and columns, which are inserted into SQL unquoted. */
public final class SqlNames {

    private static final Pattern COLUMN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    private static final Pattern TABLE = Pattern.compile("(" + COLUMN + "\\.){0,2}" + COLUMN);

    private SqlNames() {}

    public static void requireTable(String field, String name) {
        require(field, name, TABLE, ", with a schema in front if need be");
    }

    public static void requireColumn(String field, String name) {
        require(field, name, COLUMN, "");
    }

    private static void require(String field, String name, Pattern pattern, String more) {
        if (!pattern.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'" + field + "' must be a name of letters, digits and '_'" + more + ": '" + name + "'");
        }
    }
}
