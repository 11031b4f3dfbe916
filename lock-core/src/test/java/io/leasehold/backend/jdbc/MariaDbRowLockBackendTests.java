package io.leasehold.backend.jdbc;

import io.leasehold.testsupport.MariaDbServer;
import org.junit.jupiter.api.AfterAll;

/** Row locks in MariaDB. */
class MariaDbRowLockBackendTests extends RowLockContract {

    private static final UrlDataSource DATABASE =
            new UrlDataSource(MariaDbServer.shared().url());

    private static final RowLeases LEASES = leases(DATABASE);

    MariaDbRowLockBackendTests() {
        super(DATABASE, LEASES);
    }

    @AfterAll
    static void close() {
        LEASES.close();
    }
}
