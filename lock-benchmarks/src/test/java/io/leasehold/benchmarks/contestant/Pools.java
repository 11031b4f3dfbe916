package io.leasehold.benchmarks.contestant;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Connections to a database, the same number for each contestant. */
final class Pools {

    static final int CONNECTIONS = 8;

    private Pools() {}

    static DataSource open(String url, String... ddl) throws SQLException {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(CONNECTIONS);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : ddl) {
                statement.execute(sql);
            }
        }
        return pool;
    }
}
