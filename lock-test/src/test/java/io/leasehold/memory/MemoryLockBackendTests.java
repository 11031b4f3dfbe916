package io.leasehold.memory;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** The memory backend satisfies the contract. The test moves its clock. */
class MemoryLockBackendTests extends LockBackendContract {

    private final AtomicLong nanos = new AtomicLong(System.nanoTime());

    private final MemoryLeases leases = new MemoryLeases(nanos::get, InstantSource.system());

    @Override
    protected LockBackend create() {
        return new MemoryLockBackend(leases);
    }

    @Override
    public void wipe() {
        leases.clear();
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.WAKEUPS, Capability.HOLDERS, Capability.LISTING, Capability.REVOCATION);
    }

    @Override
    public void passTime(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
