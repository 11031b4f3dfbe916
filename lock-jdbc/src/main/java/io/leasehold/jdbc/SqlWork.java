package io.leasehold.jdbc;

import java.sql.SQLException;

/** Something to do with a connection. */
@FunctionalInterface
interface SqlWork<T> {

    T run(Session session) throws SQLException;
}
