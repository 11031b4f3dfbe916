package io.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Returns the connection that is bound to the calling thread, as transactional data sources do. */
final class BoundDataSource extends PlainDataSource {

    private final DataSource target;

    private final ThreadLocal<Connection> bound;

    BoundDataSource(DataSource target, ThreadLocal<Connection> bound) {
        this.target = target;
        this.bound = bound;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = bound.get();
        return connection == null ? target.getConnection() : connection;
    }
}
