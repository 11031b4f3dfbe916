package io.leasehold.jdbc;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The lease table satisfies the contract with each database, driver and connection setting. */
abstract class JdbcContract extends LockBackendContract {

    private static final JdbcLockOptions OPTIONS = new JdbcLockOptions().withQueueTimeout(Duration.ofSeconds(20));

    private static final Set<String> READY = ConcurrentHashMap.newKeySet();

    private final UrlDataSource dataSource;

    JdbcContract(UrlDataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    protected LockBackend create() {
        JdbcLockBackend backend = JdbcLockBackend.withOwnPool(dataSource, OPTIONS, System::nanoTime);
        if (READY.add(dataSource.url())) {
            backend.initializeSchema();
        }
        return backend;
    }

    @Override
    public void wipe() {
        dataSource.execute("DELETE FROM lock_lease");
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.WAKEUPS, Capability.HOLDERS, Capability.LISTING, Capability.REVOCATION);
    }
}
