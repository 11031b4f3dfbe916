package io.leasehold.jdbc;

import io.leasehold.servers.database.MariaDbServer;

/** MySQL's statements and driver, on MariaDB. */
class MySqlDriverLockBackendTests extends JdbcContract {

    MySqlDriverLockBackendTests() {
        super(new UrlDataSource(MariaDbServer.shared().mysqlUrl()));
    }
}
