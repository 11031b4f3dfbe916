package io.leasehold.etcd;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.spi.LockBackend;
import java.net.URI;
import java.time.Duration;

/** The etcd backend keeps the contract, however many members there are. */
abstract class EtcdContract extends LockBackendContract {

    private final URI[] endpoints;

    EtcdContract(URI... endpoints) {
        this.endpoints = endpoints;
    }

    @Override
    protected LockBackend create() {
        return new EtcdLockBackend(EtcdOptions.of(endpoints), System::nanoTime);
    }

    @Override
    public void wipe() {
        try (EtcdAdmin admin = new EtcdAdmin(endpoints[0])) {
            admin.wipe();
        }
    }

    @Override
    public boolean notifiesWaiters() {
        return true;
    }

    /** To the end of the lease's second, and until etcd looks for expired leases and has agreed to end them. */
    @Override
    public Duration expirySlack() {
        return Duration.ofMillis(1_400);
    }
}
