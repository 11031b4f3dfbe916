package io.leasehold.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source that implements only the creation of connections. */
public abstract class PlainDataSource implements DataSource {

    @Override
    public final Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public final @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public final void setLogWriter(PrintWriter out) {}

    @Override
    public final void setLoginTimeout(int seconds) {}

    @Override
    public final int getLoginTimeout() {
        return 0;
    }

    @Override
    public final Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public final <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps nothing");
    }

    @Override
    public final boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
