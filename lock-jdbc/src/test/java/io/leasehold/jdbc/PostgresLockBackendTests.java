package io.leasehold.jdbc;

import io.leasehold.servers.database.PostgresServer;

/** PostgreSQL. */
class PostgresLockBackendTests extends JdbcContract {

    PostgresLockBackendTests() {
        super(new UrlDataSource(PostgresServer.shared().url()));
    }

    @Override
    public boolean hintsRevocations() {
        return true;
    }
}
