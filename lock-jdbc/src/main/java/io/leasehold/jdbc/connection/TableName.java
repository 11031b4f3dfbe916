package io.leasehold.jdbc.connection;

/**
 * The name of a table in queries of the catalogue. It is inserted into SQL.
 *
 * @param text the name, with its schema as a prefix if needed
 */
public record TableName(String text) {

    /** The schema as an SQL expression, which is the given one if the name has no prefix. */
    public String schemaOr(String usual) {
        int dot = text.lastIndexOf('.');
        return dot < 0 ? usual : "'" + text.substring(0, dot) + "'";
    }

    /** The name without its schema. */
    public String simple() {
        return text.substring(text.lastIndexOf('.') + 1);
    }
}
