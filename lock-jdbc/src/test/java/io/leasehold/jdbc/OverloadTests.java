package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockListener;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.testsupport.FaultProxy;
import io.leasehold.testsupport.QuietLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many more callers than three connections to a database 10 ms away can serve. Work that waits too long is not sent, so
 * no removal is needed for it and no connection is abandoned. The connections carry as many locks as before, to within
 * a quarter. The measurements alternate, so other load on the machine affects all of them, if not to the same degree.
 */
@Tag("slow")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class OverloadTests {

    private static final int CONNECTIONS = 3;

    /** The number of callers that keeps the connections busy. */
    private static final int FEW = 2 * CONNECTIONS;

    /** Three times the load that the connections carry, and the number of callers that once made them stall. */
    private static final List<Integer> CROWDS_OF_A_TABLE = List.of(3 * FEW, 150);

    /** A row lock takes more round trips, so fewer callers make the connections stall. */
    private static final List<Integer> CROWDS_OF_ROWS = List.of(3 * FEW, 60);

    /** The number of callers for which one connection has work for longer than they wait for an answer. */
    private static final int IMPATIENT = 60;

    private static final Duration LONG_QUEUE = Duration.ofSeconds(10);

    private static final int ROUNDS = 3;

    private static final Duration ROUND = Duration.ofSeconds(2);

    private final QuietLog quiet = new QuietLog("io.leasehold.engine");

    private final AtomicInteger unknown = new AtomicInteger();

    @Test
    void excessCallersOfALeaseTableDoNotReduceTheThroughput() throws Exception {
        requireSameThroughput(CROWDS_OF_A_TABLE, source -> {
            JdbcLockBackend backend = JdbcLockBackend.withOwnPool(
                    source, new JdbcLockOptions().withConnections(CONNECTIONS), System::nanoTime);
            backend.initializeSchema();
            return backend;
        });
    }

    @Test
    void excessCallersOfRowLocksDoNotReduceTheThroughput() throws Exception {
        requireSameThroughput(CROWDS_OF_ROWS, source -> {
            RowLockBackend backend = RowLockBackend.withOwnPool(
                    source,
                    new RowLockOptions().withConnections(CONNECTIONS).withMaxLocks(Collections.max(CROWDS_OF_ROWS)),
                    System::nanoTime);
            backend.initializeSchema();
            return backend;
        });
    }

    /** Otherwise the queue hands out only attempts whose callers give up before the answer, as long as they retry. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void callersWithAShorterCommandTimeoutThanTheQueueTimeoutGetLocks(boolean rowLocks) throws Exception {
        PostgresServer server = PostgresServer.shared();
        try (FaultProxy proxy = new FaultProxy(server.port());
                LockBackend backend = oneConnection(rowLocks, new UrlDataSource(server.url(proxy.port())));
                LockEngine engine = new LockEngine(new LockListener() {})) {
            LockerSettings settings = LockerSettings.of("overload-" + UUID.randomUUID())
                    .withWaitTime(Duration.ZERO)
                    .withCommandTimeout(Duration.ofMillis(rowLocks ? 1_000 : 300));
            LeaseLocker locker = engine.locker(settings, "jdbc", backend);
            locker.lock("opens connections").close();
            proxy.delay(Duration.ofMillis(10));
            AtomicInteger locks = new AtomicInteger();
            ExecutorService threads = Executors.newFixedThreadPool(IMPATIENT);
            try {
                for (int caller = 0; caller < IMPATIENT; caller++) {
                    String key = "key-" + caller;
                    threads.submit(() -> {
                        while (!threads.isShutdown()) {
                            lock(locker, key, locks);
                        }
                    });
                }
                await().atMost(90, TimeUnit.SECONDS).until(() -> locks.get() > 100);
                assertThat(unknown).hasValueLessThan(100);
            } finally {
                threads.shutdown();
                assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            quiet.close();
        }
    }

    private static LockBackend oneConnection(boolean rowLocks, DataSource source) {
        if (rowLocks) {
            RowLockBackend rows = RowLockBackend.withOwnPool(
                    source,
                    new RowLockOptions()
                            .withConnections(1)
                            .withMaxLocks(IMPATIENT)
                            .withQueueTimeout(LONG_QUEUE),
                    System::nanoTime);
            rows.initializeSchema();
            return rows;
        }
        JdbcLockBackend table = JdbcLockBackend.withOwnPool(
                source, new JdbcLockOptions().withConnections(1).withQueueTimeout(LONG_QUEUE), System::nanoTime);
        table.initializeSchema();
        return table;
    }

    private void requireSameThroughput(List<Integer> crowds, Function<DataSource, LockBackend> backends)
            throws Exception {
        PostgresServer server = PostgresServer.shared();
        try (FaultProxy proxy = new FaultProxy(server.port());
                LockBackend backend = backends.apply(new UrlDataSource(server.url(proxy.port())));
                LockEngine engine = new LockEngine(new LockListener() {})) {
            LockerSettings settings =
                    LockerSettings.of("overload-" + UUID.randomUUID()).withTtl(Duration.ofSeconds(15));
            LeaseLocker locker = engine.locker(settings, "jdbc", backend);
            proxy.delay(Duration.ofMillis(10));
            for (int crowd : crowds) {
                locksOf(crowd, ROUND, locker);
            }
            unknown.set(0);
            int opened = proxy.accepted();
            int heldAtOnce = backend instanceof RowLockBackend ? Collections.max(crowds) : 0;

            Map<Integer, Integer> locks = new TreeMap<>();
            for (int round = 0; round < ROUNDS; round++) {
                locks.merge(FEW, locksOf(FEW, ROUND, locker), Integer::sum);
                for (int crowd : crowds) {
                    locks.merge(crowd, locksOf(crowd, ROUND, locker), Integer::sum);
                }
            }
            for (int crowd : crowds) {
                assertThat(locks.get(crowd))
                        .as("locks of %d callers, in %s", crowd, locks)
                        .isGreaterThan(locks.get(FEW) * 3 / 4);
            }
            assertThat(unknown).hasValue(0);
            assertThat(proxy.accepted()).isLessThanOrEqualTo(opened + heldAtOnce);
            await().atMost(20, TimeUnit.SECONDS)
                    .until(() ->
                            locker.status().held().isEmpty() && locker.status().pendingRemovals() == 0);
        } finally {
            quiet.close();
        }
    }

    /** Returns how many locks the callers, each with a key of its own, acquire and release. */
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
