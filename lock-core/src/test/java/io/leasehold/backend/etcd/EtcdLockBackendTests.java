package io.leasehold.backend.etcd;

import io.leasehold.backend.LockBackendContract;
import io.leasehold.spi.LockBackend;
import io.leasehold.testsupport.EtcdAdmin;
import io.leasehold.testsupport.EtcdCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The etcd backend keeps the contract on one member. */
class EtcdLockBackendTests extends LockBackendContract {

    private static final EtcdCluster CLUSTER = EtcdCluster.shared();

    private static EtcdAdmin admin;

    @BeforeAll
    static void connect() {
        admin = CLUSTER.admin();
    }

    @AfterAll
    static void disconnect() {
        admin.close();
    }

    @Override
    protected LockBackend create() {
        return new EtcdLockBackend(EtcdOptions.of(CLUSTER.endpoints()), System::nanoTime);
    }

    @Override
    public void wipe() {
        admin.wipe();
    }

    @Override
    public boolean givesTurns() {
        return true;
    }

    /** Served by a lease of the shortest that this etcd grants, one second. */
    @Override
    public Duration shortTtl() {
        return Duration.ofMillis(500);
    }

    /** To the end of the lease's second, and until etcd looks for expired leases and has agreed to end them. */
    @Override
    public Duration expirySlack() {
        return Duration.ofMillis(1_400);
    }
}
