package io.leasehold.jdbc.row;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Work in the transaction that holds a row's lock.
 *
 * @param <T> the type of its result
 */
@FunctionalInterface
public interface RowWork<T> {

    /**
     * Runs the work.
     *
     * @param connection the transaction's connection; {@link RowLocks} commits and closes it
     * @return the result
     * @throws SQLException if the work fails; the transaction is then rolled back
     */
    T run(Connection connection) throws SQLException;
}
