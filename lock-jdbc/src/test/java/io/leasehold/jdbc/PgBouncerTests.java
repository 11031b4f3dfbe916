package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.LockListener;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.LockConnections;
import io.leasehold.jdbc.connection.LockDataSource;
import io.leasehold.jdbc.connection.SqlError;
import io.leasehold.jdbc.row.LockableRow;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.jdbc.row.RowLocks;
import io.leasehold.servers.database.PgBouncer;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.SafetyFinding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Behind a real PgBouncer that pools transactions, with two server connections that all clients share. The driver would
 * prepare each statement at its first use, and such statements conflict there.
 */
class PgBouncerTests {

    private static final int SERVER_CONNECTIONS = 2;

    private static final int THREADS = 8;

    private static final int LOCKS = 400;

    private static final Duration SECOND = Duration.ofSeconds(1);

    private static PgBouncer pooler;

    private final UrlDataSource pooled = new UrlDataSource(pooler.url() + "&prepareThreshold=1");

    @BeforeAll
    static void start() {
        pooler = PgBouncer.start(PostgresServer.shared(), SERVER_CONNECTIONS);
        TestDatabase.POSTGRESQL.backend().close();
    }

    @AfterAll
    static void stop() {
        pooler.close();
    }

    /** All locks are released, and their changes to sessions that other clients use next are reverted. */
    @AfterEach
    void nothingOutlivesItsStatement() throws SQLException {
        Map<String, String> fresh = new LinkedHashMap<>();
        try (Connection direct = TestDatabase.POSTGRESQL.dataSource().getConnection()) {
            fresh.putAll(session(direct));
        }
        List<Connection> clients = new ArrayList<>();
        UrlDataSource unrelated = new UrlDataSource(pooler.url());
        try {
            for (int i = 0; i < SERVER_CONNECTIONS; i++) {
                Connection client = unrelated.getConnection();
                clients.add(client);
                client.setAutoCommit(false);
                assertThat(session(client)).isEqualTo(fresh);
            }
        } finally {
            for (Connection client : clients) {
                client.close();
            }
        }
    }

    /** The server ends the wait for a standby when the query timeout is over; the lock is lost if the server fails now. */
    @Test
    void aLockThatNoStandbyHasConfirmedIsNotGranted() throws SQLException {
        try (PostgresServer server = PostgresServer.start(Map.of("synchronous_commit", "on"));
                PgBouncer between = PgBouncer.start(server, SERVER_CONNECTIONS);
                JdbcLockBackend backend = JdbcLockBackend.withOwnPool(
                        new UrlDataSource(between.url()), new JdbcLockOptions(), System::nanoTime);
                Connection direct = new UrlDataSource(server.url()).getConnection();
                Statement administrator = direct.createStatement()) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            client.grant("before");
            administrator.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
            administrator.execute("SELECT pg_reload_conf()");
            AtomicInteger keys = new AtomicInteger();
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                AcquireCommand command = new AcquireCommand(
                        client.id("k" + keys.incrementAndGet()), client.token(), StoreClient.LONG, 1, false);
                assertThat(backend.acquire(command).toCompletableFuture())
                        .failsWithin(Duration.ofSeconds(20))
                        .withThrowableThat()
                        .havingCause()
                        .satisfies(failure ->
                                assertThat(((BackendFailure) failure).effect()).isEqualTo(Effect.UNKNOWN))
                        .withMessageContaining("synchronous replication");
            });
        }
    }

    /** The pooler is one of its own, since the statements stay prepared on its connections until it ends. */
    @Test
    void statementsThatTheServerKeepsPreparedClash() throws SQLException {
        try (PgBouncer own = PgBouncer.start(PostgresServer.shared(), SERVER_CONNECTIONS)) {
            UrlDataSource preparing = new UrlDataSource(own.url() + "&prepareThreshold=1");
            try (Connection one = preparing.getConnection();
                    Connection other = preparing.getConnection()) {
                assertThatExceptionOfType(SQLException.class)
                        .isThrownBy(() -> {
                            for (int i = 0; i < 100; i++) {
                                selectPrepared(one, "SELECT ?::int + " + i);
                                selectPrepared(other, "SELECT ?::int - " + i);
                            }
                        })
                        .satisfies(clash -> assertThat(SqlError.classify(clash, DatabaseDialect.POSTGRESQL))
                                .isEqualTo(SqlError.CONTENTION));
            }
        }
    }

    @Test
    void noAcquisitionIsRefused() throws Exception {
        String namespace = "pooled-" + UUID.randomUUID();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (JdbcLockBackend one = backend();
                JdbcLockBackend other = backend();
                LockEngine engine = new LockEngine(new LockListener() {});
                LockEngine otherEngine = new LockEngine(new LockListener() {})) {
            List<LeaseLocker> lockers = List.of(
                    engine.locker(LockerSettings.of(namespace), "jdbc", one),
                    otherEngine.locker(LockerSettings.of(namespace), "jdbc", other));
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                LeaseLocker locker = lockers.get(thread % 2);
                int first = thread;
                done.add(threads.submit(() -> {
                    for (int i = 0; i < LOCKS; i++) {
                        String key = i % 8 == 0 ? "shared" : "key-" + first + "-" + i % 4;
                        assertThat(locker.tryLock(key, Duration.ofMinutes(1))
                                        .orElseThrow()
                                        .release())
                                .isTrue();
                    }
                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
            assertThat(lockers).allMatch(locker -> locker.status().held().isEmpty());
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void leasesKeepTheirPromises() {
        try (JdbcLockBackend backend = backend()) {
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("a");
            assertThat(client.busy(held.id()).remaining()).isPositive();
            for (int i = 0; i < 20; i++) {
                assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            }
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            assertThat(client.grant("a").firstFence()).isGreaterThan(held.firstFence());
            assertThat(StoreClient.await(backend.purge())).isNotNegative();
        }
    }

    @Test
    void theCheckAtStartUpNamesThePoolerAndWhatToDo() {
        try (JdbcLockBackend backend = backend()) {
            backend.requireSchema();
            assertThat(StoreClient.await(backend.inspect()))
                    .filteredOn(finding -> finding.subject().equals("pooler"))
                    .singleElement()
                    .extracting(SafetyFinding::nextStep)
                    .asString()
                    .contains("lock.jdbc.url");
        }
    }

    @Test
    void validatedConnectionsPrepareNoStatements() throws SQLException {
        try (HikariDataSource pool = LockDataSource.over(pooled, "pooled", 1)) {
            for (int i = 0; i < 20; i++) {
                try (LockConnection session = await().ignoreExceptions()
                        .until(new LockConnections(pool, SECOND, SECOND)::open, Objects::nonNull)) {
                    assertThat(session.isPooled()).isTrue();
                    assertThat(session.isAlive()).isTrue();
                }
            }
        }
    }

    @Test
    void rowLocksKeepAServerConnectionEach() {
        try (RowLockBackend rows = RowLockBackend.withOwnPool(pooled, new RowLockOptions(), System::nanoTime)) {
            rows.initializeSchema();
            StoreClient client = TestDatabase.client(rows);
            Held held = client.grant("a");
            client.busy(held.id());
            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            client.release(client.grant("a"));
        }
    }

    @Test
    void workUnderABusinessRowsLockSetsUpItsTransactionAlone() throws SQLException {
        UrlDataSource plain = new UrlDataSource(pooler.url() + "&prepareThreshold=0");
        plain.execute("CREATE TABLE IF NOT EXISTS pooled_account (id INT PRIMARY KEY)");
        plain.execute("INSERT INTO pooled_account VALUES (1) ON CONFLICT DO NOTHING");
        LockableRow row = new LockableRow("pooled_account", "id", 1);
        assertThat(new RowLocks(plain).inTransaction(row, Duration.ofSeconds(7), connection -> {
                    try (Statement statement = connection.createStatement();
                            ResultSet wait = statement.executeQuery("SHOW lock_timeout")) {
                        wait.next();
                        return wait.getString(1);
                    }
                }))
                .contains("0");
    }

    private JdbcLockBackend backend() {
        return JdbcLockBackend.withOwnPool(
                pooled, new JdbcLockOptions().withQueueTimeout(Duration.ofSeconds(20)), System::nanoTime);
    }

    private static Map<String, String> session(Connection connection) throws SQLException {
        Map<String, String> settings = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name, setting FROM pg_settings WHERE name IN"
                        + " ('lock_timeout', 'statement_timeout', 'default_transaction_isolation',"
                        + " 'default_transaction_read_only', 'idle_in_transaction_session_timeout')"
                        + " UNION ALL SELECT 'listening', count(*)::text FROM pg_listening_channels()"
                        + " UNION ALL SELECT 'prepared', string_agg(name || ': ' || statement, ', ') FROM pg_prepared_statements"
                        + " ORDER BY 1")) {
            while (rows.next()) {
                settings.put(rows.getString(1), String.valueOf(rows.getString(2)));
            }
        }
        return settings;
    }

    private static void selectPrepared(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, 1);
            statement.executeQuery().close();
        }
    }
}
