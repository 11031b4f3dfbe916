package io.leasehold.faults;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;

/** The parts of one process: a client, a backend and an engine, with a separate network to each server. */
final class FaultyProcess implements AutoCloseable {

    static final String NAMESPACE = "faults";

    private static final long RETRY_NANOS = 10_000_000;

    private final List<FaultProxy> network;

    private final Connection connection;

    private final LockEngine engine = new LockEngine(new LockListener() {});

    private final LeaseLocker locker;

    private final OwnTokens tokens;

    private final LockerSettings settings;

    private FaultyProcess(
            BreakableStore store,
            Duration ttl,
            Duration commandTimeout,
            List<FaultProxy> network,
            List<Integer> ports) {
        this.network = network;
        connection = store.connect(ports);
        settings = LockerSettings.of(NAMESPACE)
                .withTtl(ttl)
                .withWaitTime(Duration.ofSeconds(10))
                .withCommandTimeout(commandTimeout)
                .withForceRelease(true);
        tokens = new OwnTokens(connection.backend());
        locker = engine.locker(settings, store.name(), tokens);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> locker.tryLock("warm-up", store.ttl())
                        .filter(LockHandle::release)
                        .isPresent());
    }

    /** A process behind proxies. */
    static FaultyProcess behindProxies(BreakableStore store) {
        return behindProxies(store, store.ttl());
    }

    static FaultyProcess behindProxies(BreakableStore store, Duration ttl) {
        return behindProxies(store, ttl, store.commandTimeout());
    }

    static FaultyProcess behindProxies(BreakableStore store, Duration ttl, Duration commandTimeout) {
        List<FaultProxy> network = store.ports().stream().map(FaultProxy::new).toList();
        return new FaultyProcess(
                store,
                ttl,
                commandTimeout,
                network,
                network.stream().map(FaultProxy::port).toList());
    }

    /** A process whose network never fails. */
    static FaultyProcess direct(BreakableStore store) {
        return new FaultyProcess(store, store.ttl(), store.commandTimeout(), List.of(), store.ports());
    }

    List<FaultProxy> network() {
        return network;
    }

    Connection connection() {
        return connection;
    }

    LeaseLocker locker() {
        return locker;
    }

    OwnTokens tokens() {
        return tokens;
    }

    /** Whether the process is removing a lock from the store at the moment. */
    boolean isRemoving() {
        return locker.status().pendingRemovals() > 0;
    }

    /** Acquires a lock, even if the store is busy with other cases. */
    LockHandle lock(String key, Duration waitTime) {
        long start = System.nanoTime();
        while (true) {
            try {
                return locker.tryLock(key, waitTime)
                        .orElseThrow(() -> new IllegalStateException("'" + key + "' was never free"));
            } catch (LockBackendException storeIsAway) {
                if (System.nanoTime() - start > waitTime.toNanos()) {
                    throw storeIsAway;
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    /** Another locker on the same store, of an engine that may be closed before this one. */
    LeaseLocker lockerOf(LockEngine other) {
        return other.locker(settings, "another", tokens);
    }

    /** Shuts the engine down without waiting for holders. */
    void shutdown() {
        engine.shutdown(Duration.ZERO);
    }

    @Override
    public void close() {
        network.forEach(FaultProxy::pass);
        engine.close();
        connection.close();
        network.forEach(FaultProxy::close);
    }
}
