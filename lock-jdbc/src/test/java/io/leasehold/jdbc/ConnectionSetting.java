package io.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** How an application may have set up the connections that it hands out. */
@FunctionalInterface
public interface ConnectionSetting {

    void applyTo(Connection connection) throws SQLException;

    static ConnectionSetting sql(String sql) {
        return connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        };
    }
}
