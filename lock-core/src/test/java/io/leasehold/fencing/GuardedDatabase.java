package io.leasehold.fencing;

import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.servers.database.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The databases and drivers whose rows are guarded. */
enum GuardedDatabase {
    POSTGRESQL,
    MARIADB,
    MARIADB_AFFECTED_ROWS,
    MYSQL_DRIVER,
    MYSQL_DRIVER_AFFECTED_ROWS,
    H2;

    /** Creates the guarded row and the log of its writers again. */
    void prepare() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS guarded");
            statement.execute("DROP TABLE IF EXISTS guarded_writes");
            statement.execute("CREATE TABLE guarded (id VARCHAR(40) PRIMARY KEY, amount BIGINT, fence BIGINT)");
            statement.execute("CREATE TABLE guarded_writes (amount BIGINT, fence BIGINT)");
            statement.execute("INSERT INTO guarded (id, amount) VALUES ('it', 0)");
        }
    }

    /** Creates a table again in which several rows have the same key. */
    void prepareRows(String... fences) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS guarded_rows");
            statement.execute("CREATE TABLE guarded_rows (id VARCHAR(40), amount BIGINT, fence BIGINT)");
            for (int i = 0; i < fences.length; i++) {
                statement.execute("INSERT INTO guarded_rows VALUES ('it', " + i + ", " + fences[i] + ")");
            }
            statement.execute("INSERT INTO guarded_rows VALUES ('other', 99, 99)");
        }
    }

    /** Opens a connection without autocommit. */
    Connection begin() throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        return connection;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(
                switch (this) {
                    case POSTGRESQL -> PostgresServer.shared().url();
                    case MARIADB -> MariaDbServer.shared().url();
                    case MARIADB_AFFECTED_ROWS -> MariaDbServer.shared().url() + "&useAffectedRows=true";
                    case MYSQL_DRIVER -> MariaDbServer.shared().mysqlUrl();
                    case MYSQL_DRIVER_AFFECTED_ROWS -> MariaDbServer.shared().mysqlUrl() + "&useAffectedRows=true";
                    case H2 -> "jdbc:h2:mem:guarded;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=30000";
                });
    }

    List<Long> query(String sql) throws SQLException {
        try (Connection connection = connect()) {
            return query(connection, sql);
        }
    }

    static List<Long> query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<Long> numbers = new ArrayList<>();
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
            return numbers;
        }
    }
}
