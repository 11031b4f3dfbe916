package io.leasehold.jdbc;

import io.leasehold.servers.database.SharedMySql;
import org.junit.jupiter.api.Tag;

/** MySQL's own server. */
@Tag("docker")
class MySqlServerLockBackendTests extends JdbcContract {

    MySqlServerLockBackendTests() {
        super(new UrlDataSource(SharedMySql.url()));
    }
}
