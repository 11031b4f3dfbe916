package io.leasehold.backend.jdbc;

import io.leasehold.testsupport.PostgresServer;
import org.junit.jupiter.api.AfterAll;

/** Row locks in PostgreSQL. */
class PostgresRowLockBackendTests extends RowLockContract {

    private static final UrlDataSource DATABASE =
            new UrlDataSource(PostgresServer.shared().url());

    private static final RowLeases LEASES = leases(DATABASE);

    PostgresRowLockBackendTests() {
        super(DATABASE, LEASES);
    }

    @AfterAll
    static void close() {
        LEASES.close();
    }
}
