package io.leasehold.benchmarks.store;

import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.servers.database.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;

/** A database server of this run. Its work is not counted. */
public final class JdbcStore implements Store {

    private final AutoCloseable server;

    private final String url;

    private JdbcStore(AutoCloseable server, String url) {
        this.server = server;
        this.url = url;
    }

    /** Starts PostgreSQL, with its own settings. */
    public static JdbcStore postgres() {
        PostgresServer server = PostgresServer.start(Map.of());
        return new JdbcStore(server, server.url());
    }

    /** Starts MariaDB, with its own settings. */
    public static JdbcStore mariaDb() {
        MariaDbServer server = MariaDbServer.start();
        return new JdbcStore(server, server.url());
    }

    @Override
    public String address() {
        return url;
    }

    @Override
    public StoreWork work() {
        return new StoreWork(Double.NaN, Double.NaN, Double.NaN);
    }

    @Override
    public String version() {
        try (Connection connection = DriverManager.getConnection(url)) {
            return connection.getMetaData().getDatabaseProductName() + " "
                    + connection.getMetaData().getDatabaseProductVersion();
        } catch (SQLException ex) {
            throw new IllegalStateException("no connection to " + url, ex);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (Exception ex) {
            throw new IllegalStateException("the server of " + url + " could not be ended", ex);
        }
    }
}
