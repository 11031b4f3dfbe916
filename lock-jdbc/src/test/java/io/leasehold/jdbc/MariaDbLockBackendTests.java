package io.leasehold.jdbc;

import io.leasehold.servers.database.MariaDbServer;

/** MariaDB with its own driver. */
class MariaDbLockBackendTests extends JdbcContract {

    MariaDbLockBackendTests() {
        super(new UrlDataSource(MariaDbServer.shared().url()));
    }
}
