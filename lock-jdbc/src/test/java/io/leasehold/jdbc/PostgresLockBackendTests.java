package io.leasehold.jdbc;

import io.leasehold.servers.database.PostgresServer;
import java.util.EnumSet;
import java.util.Set;

/** PostgreSQL. */
class PostgresLockBackendTests extends JdbcContract {

    PostgresLockBackendTests() {
        super(new UrlDataSource(PostgresServer.shared().url()));
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }
}
