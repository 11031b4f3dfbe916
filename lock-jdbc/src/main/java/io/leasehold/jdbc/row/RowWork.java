package io.leasehold.jdbc.row;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Work in the transaction that holds a row's lock.
 *
 * @param <T> what it answers
 */
@FunctionalInterface
public interface RowWork<T> {

    /**
     * Does the work.
     *
     * @param connection the transaction's connection; committed and closed by the caller
     * @return the answer
     * @throws SQLException if the work fails; the transaction is then rolled back
     */
    T run(Connection connection) throws SQLException;
}
