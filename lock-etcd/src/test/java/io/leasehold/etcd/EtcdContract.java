package io.leasehold.etcd;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.spi.LockBackend;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;

/** The etcd backend satisfies the contract with any number of members. */
abstract class EtcdContract extends LockBackendContract {

    private final URI[] endpoints;

    EtcdContract(URI... endpoints) {
        this.endpoints = endpoints;
    }

    @Override
    protected LockBackend create() {
        return new EtcdLockBackend(EtcdOptions.of(endpoints), System::nanoTime, InstantSource.system());
    }

    @Override
    public void wipe() {
        try (EtcdAdmin admin = new EtcdAdmin(endpoints[0])) {
            admin.wipe();
        }
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.WAKEUPS, Capability.HOLDERS, Capability.LISTING, Capability.REVOCATION);
    }

    /**
     * The rest of the lease's second, plus the time until etcd checks for expired leases and has agreed to end them.
     */
    @Override
    public Duration expirySlack() {
        return Duration.ofMillis(1_400);
    }

    /** A revoked key gets a new lease as long as the one of its holder. */
    @Override
    public Duration longestAfterRevocation(Duration remaining, Duration ttl) {
        return Duration.ofSeconds(EtcdLease.secondsFor(ttl));
    }
}
