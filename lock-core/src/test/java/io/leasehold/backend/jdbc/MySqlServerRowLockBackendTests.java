package io.leasehold.backend.jdbc;

import io.leasehold.testsupport.MySqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** Row locks in MySQL's own server. */
@Tag("docker")
class MySqlServerRowLockBackendTests extends RowLockContract {

    private static final UrlDataSource DATABASE =
            new UrlDataSource(MySqlServer.shared().url());

    private static final RowLeases LEASES = leases(DATABASE);

    MySqlServerRowLockBackendTests() {
        super(DATABASE, LEASES);
    }

    @AfterAll
    static void close() {
        LEASES.close();
    }
}
