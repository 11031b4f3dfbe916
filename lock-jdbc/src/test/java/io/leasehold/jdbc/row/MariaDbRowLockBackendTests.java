package io.leasehold.jdbc.row;

import io.leasehold.jdbc.UrlDataSource;
import io.leasehold.servers.database.MariaDbServer;
import org.junit.jupiter.api.BeforeAll;

/** Row locks in MariaDB. */
class MariaDbRowLockBackendTests extends RowLockContract {

    @BeforeAll
    static void open() {
        open(new UrlDataSource(MariaDbServer.shared().url()));
    }
}
