package io.leasehold.jdbc;

import io.leasehold.testsupport.MariaDbServer;

/** MySQL's statements and driver, on MariaDB. */
class MySqlDriverLockBackendTests extends JdbcContract {

    MySqlDriverLockBackendTests() {
        super(new UrlDataSource(MariaDbServer.shared().mysqlUrl()));
    }
}
