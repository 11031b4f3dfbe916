package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockListener;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.testsupport.FaultProxy;
import io.leasehold.testsupport.PostgresServer;
import io.leasehold.testsupport.QuietLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many more callers than three connections to a database 10 ms away can serve. Work that waits too long is not sent, so
 * nothing has to be removed for it, no connection is given up, and the connections carry as many locks as before.
 */
@Tag("slow")
class OverloadTests {

    private static final int CONNECTIONS = 3;

    /** As many callers as keep the connections busy. */
    private static final int FEW = 2 * CONNECTIONS;

    private static final int MANY = 150;

    private final QuietLog quiet = new QuietLog("io.leasehold.engine");

    private final AtomicInteger unknown = new AtomicInteger();

    @Test
    void moreCallersThanTheConnectionsCarryDoNotLessenWhatTheyCarry() throws Exception {
        PostgresServer server = PostgresServer.shared();
        try (FaultProxy proxy = new FaultProxy(server.port());
                JdbcLockBackend backend = JdbcLockBackend.withOwnPool(
                        new UrlDataSource(server.url(proxy.port())),
                        new JdbcLockOptions().withConnections(CONNECTIONS),
                        System::nanoTime);
                LockEngine engine = new LockEngine(new LockListener() {})) {
            backend.initializeSchema();
            LeaseLocker locker = engine.locker(LockerSettings.of("overload-" + UUID.randomUUID()), "jdbc", backend);
            proxy.delay(Duration.ofMillis(10));
            locksOf(MANY, Duration.ofSeconds(3), locker);
            unknown.set(0);
            int opened = proxy.accepted();

            int carried = locksOf(FEW, Duration.ofSeconds(5), locker);
            int underLoad = locksOf(MANY, Duration.ofSeconds(5), locker);

            assertThat(underLoad)
                    .as("locks of %d callers, compared with those of %d", MANY, FEW)
                    .isGreaterThan(carried * 8 / 10);
            assertThat(unknown).hasValue(0);
            assertThat(proxy.accepted()).isEqualTo(opened);
            await().atMost(20, TimeUnit.SECONDS)
                    .until(() ->
                            locker.status().held().isEmpty() && locker.status().pendingRemovals() == 0);
        } finally {
            quiet.close();
        }
    }

    /** How many locks callers, each with a key of its own, get and release. */
    private int locksOf(int callers, Duration time, LeaseLocker locker) throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        AtomicInteger locks = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                String key = "key-" + caller;
                done.add(threads.submit(() -> {
                    while (!enough.get()) {
                        lock(locker, key, locks);
                    }
                }));
            }
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            int reached = locks.get();
            enough.set(true);
            for (Future<?> each : done) {
                each.get(60, TimeUnit.SECONDS);
            }
            return reached;
        } finally {
            threads.shutdownNow();
        }
    }

    private void lock(LeaseLocker locker, String key, AtomicInteger locks) {
        try {
            locker.lock(key).release();
            locks.incrementAndGet();
        } catch (LockBackendException ex) {
            if (ex.getCause() instanceof BackendFailure failure && failure.effect() == Effect.UNKNOWN) {
                unknown.incrementAndGet();
            }
        }
    }
}
