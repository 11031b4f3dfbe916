package io.leasehold.jdbc.row;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.jdbc.UrlDataSource;
import io.leasehold.jdbc.connection.Blocking;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;

/**
 * Row locks satisfy the contract. The two processes of the contract are two backends that share the process's list of
 * open connections, because a row lock is known only to its process. They still exclude each other in the database.
 */
abstract class RowLockContract extends LockBackendContract {

    private static UrlDataSource dataSource;

    private static RowLeases leases;

    static void open(UrlDataSource database) {
        dataSource = database;
        leases = RowLeases.withOwnPool(
                database,
                new RowLockOptions().withMaxLocks(220).withQueueTimeout(Duration.ofSeconds(20)),
                System::nanoTime);
        Blocking.await(leases.initializeSchema());
    }

    @AfterAll
    static void close() {
        leases.close();
    }

    @Override
    protected LockBackend create() {
        return new RowLockBackend(leases);
    }

    @AfterEach
    void endLocks() {
        leases.endAll();
    }

    @Override
    public void wipe() {
        leases.endAll();
        dataSource.execute("DELETE FROM lock_row");
        dataSource.execute("DELETE FROM lock_row_fence");
    }

    /** A timer and a statement release the row. */
    @Override
    public Duration expirySlack() {
        return Duration.ofMillis(600);
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }
}
