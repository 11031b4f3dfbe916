package io.leasehold.backend.jdbc;

import io.leasehold.spi.LockBackend;
import io.leasehold.testsupport.PostgresServer;

/** PostgreSQL, on the threads of callers who wait for each answer. */
class PostgresCallersLockBackendTests extends JdbcContract {

    PostgresCallersLockBackendTests() {
        super(new UrlDataSource(PostgresServer.shared().url()));
    }

    @Override
    protected LockBackend create() {
        return new CallersThreads(super.create());
    }
}
