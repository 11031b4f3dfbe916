package io.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A setting that an application may have made on its connections. */
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
