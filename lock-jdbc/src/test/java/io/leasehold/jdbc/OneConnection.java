package io.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A pool with exactly one connection. */
final class OneConnection extends PlainDataSource {

    private final UrlDataSource database;

    private final AtomicBoolean given = new AtomicBoolean();

    OneConnection(UrlDataSource database) {
        this.database = database;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (given.compareAndSet(false, true)) {
            return database.getConnection();
        }
        throw new SQLTransientConnectionException("all are in use", "08001");
    }
}
