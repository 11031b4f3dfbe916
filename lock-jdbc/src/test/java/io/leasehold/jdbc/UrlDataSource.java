package io.leasehold.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A data source without a pool. Each connection is a new one with some settings. */
public final class UrlDataSource extends PlainDataSource {

    private final String url;

    private final List<ConnectionSetting> settings;

    public UrlDataSource(String url, ConnectionSetting... settings) {
        this.url = url;
        this.settings = List.of(settings);
    }

    /** A data source of the same database with these settings. */
    public UrlDataSource with(ConnectionSetting... more) {
        return new UrlDataSource(url, more);
    }

    String url() {
        return url;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        for (ConnectionSetting setting : settings) {
            setting.applyTo(connection);
        }
        return connection;
    }

    /** Runs a statement on a connection of its own. */
    public void execute(String sql) {
        try (Connection connection = getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException ex) {
            throw new AssertionError(sql, ex);
        }
    }

    /** Returns the number in the first column of the first row. */
    public long query(String sql) {
        try (Connection connection = getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException ex) {
            throw new AssertionError(sql, ex);
        }
    }
}
