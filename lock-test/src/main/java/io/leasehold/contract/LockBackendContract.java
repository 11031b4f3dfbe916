package io.leasehold.contract;

import io.leasehold.spi.LockBackend;
import io.leasehold.spi.RenewCommand;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The contract of every backend, as tests. A subclass only provides the set-up: it creates backends and describes the
 * properties of its store. It neither overrides nor omits tests. Features of a store beyond the contract have separate
 * tests.
 *
 * <p>Each test has its own namespace and accesses the store through two backends, as two processes do.
 * {@link #create()} is therefore called at least twice for each test. Keep expensive resources, such as a server or a
 * client's threads, in static fields of the subclass.
 */
public abstract class LockBackendContract
        implements AcquireContract,
                RenewContract,
                ReleaseContract,
                ExpiryContract,
                FenceContract,
                WakeupContract,
                KeyContract,
                ConcurrencyContract,
                HolderContract,
                RevokeContract,
                ListingContract,
                CloseContract {

    private final String namespace = "c-" + UUID.randomUUID();

    private LockBackend backend;

    private LockBackend otherBackend;

    /** Creates the suite. JUnit calls this for each test. */
    @SuppressWarnings("NullAway.Init")
    protected LockBackendContract() {}

    /** Creates a backend on the store under test. It shares only the store with other backends. */
    protected abstract LockBackend create();

    /** Creates two backends with open connections, so that connecting does not consume the ttl of a test. */
    @BeforeEach
    void open() {
        backend = create();
        otherBackend = create();
        for (StoreClient client : new StoreClient[] {store(), otherProcess()}) {
            client.renew(new RenewCommand(client.id("warm-up"), client.token(), LONG));
        }
    }

    @AfterEach
    void close() {
        backend.close();
        otherBackend.close();
    }

    @Override
    public final StoreClient store() {
        return new StoreClient(backend, namespace);
    }

    @Override
    public final StoreClient otherProcess() {
        return new StoreClient(otherBackend, namespace);
    }

    @Override
    public final StoreClient inNamespace(String other) {
        return new StoreClient(backend, other);
    }

    @Override
    public final LockBackend another() {
        return create();
    }

    @Override
    public Duration shortTtl() {
        return Duration.ofMillis(300);
    }

    @Override
    public Duration expirySlack() {
        return Duration.ofMillis(50);
    }

    @Override
    public void passTime(Duration time) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < time.toNanos()) {
            LockSupport.parkNanos(time.toNanos() - (System.nanoTime() - start));
        }
    }
}
