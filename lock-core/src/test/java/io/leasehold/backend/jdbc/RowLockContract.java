package io.leasehold.backend.jdbc;

import io.leasehold.backend.LockBackendContract;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/**
 * Row locks keep the contract. What the contract calls two processes are two backends that share what a process knows of
 * its open connections, since a lock is known to nobody else; they still exclude each other in the database.
 */
abstract class RowLockContract extends LockBackendContract {

    private final UrlDataSource dataSource;

    private final RowLeases leases;

    RowLockContract(UrlDataSource dataSource, RowLeases leases) {
        this.dataSource = dataSource;
        this.leases = leases;
    }

    static RowLeases leases(UrlDataSource dataSource) {
        RowLeases leases = new RowLeases(dataSource, new RowLockOptions().withMaxHeld(220), System::nanoTime);
        Blocking.await(leases.initializeSchema());
        return leases;
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

    /** The row is let go by a timer and a statement. */
    @Override
    public Duration expirySlack() {
        return Duration.ofMillis(250);
    }

    @Override
    public boolean givesTurns() {
        return false;
    }
}
