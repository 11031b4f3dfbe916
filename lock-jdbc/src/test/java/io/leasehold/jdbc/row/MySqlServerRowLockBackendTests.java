package io.leasehold.jdbc.row;

import io.leasehold.jdbc.UrlDataSource;
import io.leasehold.servers.database.SharedMySql;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Row locks in MySQL's own server. */
@Tag("docker")
class MySqlServerRowLockBackendTests extends RowLockContract {

    @BeforeAll
    static void open() {
        open(new UrlDataSource(SharedMySql.url()));
    }
}
