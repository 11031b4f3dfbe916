package io.leasehold.backend.jdbc;

import org.junit.jupiter.api.AfterAll;

/** Row locks in H2. */
class H2RowLockBackendTests extends RowLockContract {

    private static final UrlDataSource DATABASE = new UrlDataSource("jdbc:h2:mem:rows;DB_CLOSE_DELAY=-1");

    private static final RowLeases LEASES = leases(DATABASE);

    H2RowLockBackendTests() {
        super(DATABASE, LEASES);
    }

    @AfterAll
    static void close() {
        LEASES.close();
    }
}
