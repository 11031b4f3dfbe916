package io.leasehold.jdbc.connection;

import java.sql.SQLException;

/** Work on a connection. */
@FunctionalInterface
public interface SqlWork<T> {

    T run(LockConnection session) throws SQLException;
}
