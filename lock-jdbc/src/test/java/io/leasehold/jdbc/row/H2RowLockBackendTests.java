package io.leasehold.jdbc.row;

import io.leasehold.jdbc.UrlDataSource;
import org.junit.jupiter.api.BeforeAll;

/** Row locks in H2. */
class H2RowLockBackendTests extends RowLockContract {

    @BeforeAll
    static void open() {
        open(new UrlDataSource("jdbc:h2:mem:rows;DB_CLOSE_DELAY=-1"));
    }
}
