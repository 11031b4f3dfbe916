package io.leasehold.jdbc;

import io.leasehold.contract.StoreClient;
import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.servers.database.MySqlServer;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.spi.LockBackend;
import java.sql.SQLException;
import java.util.UUID;

/** The databases and drivers for tests that run on all of them. */
public enum TestDatabase {
    POSTGRESQL,
    MARIADB,
    MARIADB_AFFECTED_ROWS,
    MYSQL_DRIVER,
    MYSQL_DRIVER_AFFECTED_ROWS,
    H2;

    /**
     * Connections to a server that all tests of this JVM share. The first one is already open when a pool is made: it loads
     * the driver and, for H2, the database, which on a busy machine takes longer than a pool waits for a connection.
     */
    public UrlDataSource dataSource() {
        UrlDataSource dataSource = unopened();
        try {
            dataSource.getConnection().close();
        } catch (SQLException ex) {
            throw new IllegalStateException(ex);
        }
        return dataSource;
    }

    private UrlDataSource unopened() {
        return switch (this) {
            case POSTGRESQL -> new UrlDataSource(PostgresServer.shared().url());
            case MARIADB -> new UrlDataSource(MariaDbServer.shared().url());
            case MARIADB_AFFECTED_ROWS ->
                new UrlDataSource(MariaDbServer.shared().url() + "&useAffectedRows=true");
            case MYSQL_DRIVER -> new UrlDataSource(mysqlUrl());
            case MYSQL_DRIVER_AFFECTED_ROWS -> new UrlDataSource(mysqlUrl() + "&useAffectedRows=true");
            case H2 -> new UrlDataSource("jdbc:h2:mem:all;DB_CLOSE_DELAY=-1");
        };
    }

    /** MySQL's own server if there is one, else MariaDB. */
    private static String mysqlUrl() {
        return MySqlServer.isThere()
                ? MySqlServer.shared().url()
                : MariaDbServer.shared().mysqlUrl();
    }

    /** A backend with its table. */
    public JdbcLockBackend backend() {
        return backend(new JdbcLockOptions());
    }

    public JdbcLockBackend backend(JdbcLockOptions options) {
        JdbcLockBackend backend = JdbcLockBackend.withOwnPool(dataSource(), options, System::nanoTime);
        backend.initializeSchema();
        return backend;
    }

    /** A client with keys that no other test uses. */
    public static StoreClient client(LockBackend backend) {
        return new StoreClient(backend, "t-" + UUID.randomUUID());
    }
}
