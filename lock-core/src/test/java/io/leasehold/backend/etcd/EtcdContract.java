package io.leasehold.backend.etcd;

import io.leasehold.backend.LockBackendContract;
import io.leasehold.spi.LockBackend;
import io.leasehold.testsupport.EtcdAdmin;
import io.leasehold.testsupport.EtcdCluster;
import java.time.Duration;

/** The etcd backend keeps the contract, however many members there are. */
abstract class EtcdContract extends LockBackendContract {

    private final EtcdCluster cluster;

    EtcdContract(EtcdCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    protected LockBackend create() {
        return new EtcdLockBackend(EtcdOptions.of(cluster.endpoints()), System::nanoTime);
    }

    @Override
    public void wipe() {
        try (EtcdAdmin admin = cluster.admin()) {
            admin.wipe();
        }
    }

    @Override
    public boolean givesTurns() {
        return true;
    }

    /** To the end of the lease's second, and until etcd looks for expired leases and has agreed to end them. */
    @Override
    public Duration expirySlack() {
        return Duration.ofMillis(1_400);
    }
}
