package io.leasehold.jdbc.connection;

import java.sql.SQLException;

/** Something to do with a connection. */
@FunctionalInterface
public interface SqlWork<T> {

    T run(LockConnection session) throws SQLException;
}
