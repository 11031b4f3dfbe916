package io.leasehold.contract;

import io.leasehold.spi.LockBackend;
import io.leasehold.spi.RenewCommand;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What every backend has to do. A subclass is only set-up: it says how to make a backend and what its store is like. It
 * neither overrides nor leaves out a test; what a store does beyond the contract has tests of its own elsewhere.
 *
 * <p>Each test has a namespace of its own and sees the store through two backends, as two processes would. So
 * {@link #create()} is called twice for each test; what is expensive, such as a server or a client's threads, belongs in
 * static fields of the subclass.
 */
public abstract class LockBackendContract
        implements AcquireContract,
                RenewContract,
                ReleaseContract,
                ExpiryContract,
                FenceContract,
                HintContract,
                KeyContract,
                ConcurrencyContract,
                CloseContract {

    private final String namespace = "c-" + UUID.randomUUID();

    private LockBackend backend;

    private LockBackend otherBackend;

    /** Creates the suite; JUnit does so for each test. */
    @SuppressWarnings("NullAway.Init")
    protected LockBackendContract() {}

    /** Makes a backend on the store under test, with nothing shared with other backends but the store. */
    protected abstract LockBackend create();

    /** Two backends, each with its connections open, so that no test's ttl is spent on that. */
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
