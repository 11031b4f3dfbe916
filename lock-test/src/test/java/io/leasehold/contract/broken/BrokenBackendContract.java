package io.leasehold.contract.broken;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The contract on a store with a mistake. {@link ContractTests} runs it, the build does not. */
class BrokenBackendContract extends LockBackendContract {

    static volatile @Nullable Mistake mistake;

    private final AtomicLong nanos = new AtomicLong();

    private final BrokenStore store = new BrokenStore(nanos::get, mistake);

    @Override
    protected LockBackend create() {
        return new BrokenBackend(store);
    }

    @Override
    public void wipe() {
        store.wipe();
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.WAKEUPS, Capability.HOLDERS, Capability.LISTING, Capability.REVOCATION);
    }

    /** Memory answers immediately, and most of these tests are expected to fail. */
    @Override
    public Duration awaitTimeout() {
        return Duration.ofMillis(500);
    }

    @Override
    public void passTime(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
