package io.leasehold.jdbc;

import io.leasehold.servers.database.MySqlServer;
import org.junit.jupiter.api.Tag;

/** MySQL's own server. */
@Tag("docker")
class MySqlServerLockBackendTests extends JdbcContract {

    MySqlServerLockBackendTests() {
        super(new UrlDataSource(MySqlServer.shared().url()));
    }
}
