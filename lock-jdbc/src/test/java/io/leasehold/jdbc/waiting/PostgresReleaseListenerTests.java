package io.leasehold.jdbc.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import io.leasehold.jdbc.JdbcSchema;
import io.leasehold.jdbc.TestDatabase;
import io.leasehold.jdbc.UnclosedDataSource;
import io.leasehold.jdbc.UrlDataSource;
import io.leasehold.jdbc.connection.JdbcExecutor;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.LockConnections;
import io.leasehold.jdbc.connection.SqlErrorTranslator;
import io.leasehold.support.RevocationListeners;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The connection for notifications exists while there are waiters, and is returned unchanged. */
class PostgresReleaseListenerTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final UrlDataSource database = TestDatabase.POSTGRESQL.dataSource();

    private final AtomicLong clock = new AtomicLong(System.nanoTime());

    private final AtomicInteger opened = new AtomicInteger();

    @Test
    void theConnectionIsReturnedAfterATimeWithoutWaiters() throws SQLException {
        try (Connection connection = database.getConnection();
                JdbcExecutor lane = lane();
                PostgresReleaseListener notices = new PostgresReleaseListener(
                        true,
                        () -> open(connection),
                        lane,
                        clock::get,
                        (lock, fence) -> {},
                        new RevocationListeners())) {
            assertThat(notices.isListening()).isFalse();
            notices.want();
            await().until(notices::isListening);
            clock.addAndGet(Duration.ofSeconds(29).toNanos());
            notices.want();
            clock.addAndGet(Duration.ofSeconds(2).toNanos());
            notices.want();
            await().until(notices::isListening);
            assertThat(opened).hasValue(1);

            clock.addAndGet(Duration.ofSeconds(31).toNanos());
            await().until(() -> !listens(connection));
            await().until(() -> !notices.isListening());

            notices.want();
            await().until(notices::isListening);
            assertThat(opened).hasValue(2);
        }
    }

    @Test
    void aFailureToGetAConnectionIsRetriedLater() throws SQLException {
        try (JdbcExecutor lane = lane();
                PostgresReleaseListener notices = new PostgresReleaseListener(
                        true, this::fail, lane, clock::get, (lock, fence) -> {}, new RevocationListeners())) {
            notices.want();
            await().untilAtomic(opened, is(1));
            clock.addAndGet(Duration.ofSeconds(4).toNanos());
            notices.want();
            assertThat(opened).hasValue(1);
            for (int attempt = 2; attempt <= 3; attempt++) {
                clock.addAndGet(Duration.ofSeconds(6).toNanos());
                int reached = attempt;
                await().until(() -> {
                    notices.want();
                    return opened.get() == reached;
                });
            }
            assertThat(notices.isListening()).isFalse();
        }
    }

    @Test
    void aNotificationHasTheTokenOfTheGrantThatEnded() throws SQLException {
        List<String> heard = new CopyOnWriteArrayList<>();
        try (Connection connection = database.getConnection();
                JdbcExecutor lane = lane();
                PostgresReleaseListener notices = new PostgresReleaseListener(
                        true,
                        () -> open(connection),
                        lane,
                        clock::get,
                        (keyHash, fence) -> heard.add(HexFormat.of().formatHex(keyHash) + "=" + fence),
                        new RevocationListeners());
                Connection other = database.getConnection();
                Statement statement = other.createStatement()) {
            notices.want();
            await().until(notices::isListening);
            statement.execute("NOTIFY leasehold, 'from somebody else'");
            statement.execute("NOTIFY leasehold, '1790000000000000 orders:a key'");
            String keyHash = "0f".repeat(32);
            statement.execute("NOTIFY leasehold, '1790000000000001 " + keyHash + "'");
            await().untilAsserted(() -> assertThat(heard).isNotEmpty());
            assertThat(heard).containsExactly(keyHash + "=1790000000000001");
        }
    }

    /** The pool for locks would have one connection less after each error. */
    @Test
    void anErrorOfTheJvmClosesTheConnection() throws SQLException {
        List<Connection> connections = new CopyOnWriteArrayList<>();
        LockConnections pool = new LockConnections(database, TIMEOUT, TIMEOUT);
        try (JdbcExecutor lane = lane();
                PostgresReleaseListener notices = new PostgresReleaseListener(
                        true,
                        () -> {
                            LockConnection open = pool.open();
                            connections.add(open.connection());
                            return open;
                        },
                        lane,
                        clock::get,
                        (keyHash, fence) -> {
                            throw new InternalError("thrown by the test");
                        },
                        new RevocationListeners());
                Connection other = database.getConnection();
                Statement statement = other.createStatement()) {
            notices.want();
            await().until(notices::isListening);
            statement.execute("NOTIFY leasehold, '1790000000000001 " + "0f".repeat(32) + "'");
            await().until(() -> !notices.isListening());
            await().until(connections.get(0)::isClosed);
        }
    }

    private LockConnection open(Connection connection) throws SQLException {
        opened.incrementAndGet();
        return LockConnection.borrow(new UnclosedDataSource(connection), TIMEOUT, TIMEOUT);
    }

    private LockConnection fail() throws SQLException {
        if (opened.incrementAndGet() > 1) {
            throw new IllegalStateException("the pool is closed");
        }
        throw new SQLException("all are in use", "08001");
    }

    private JdbcExecutor lane() {
        SqlErrorTranslator failures = new SqlErrorTranslator(JdbcSchema.ofLeases("lock_lease"));
        LockConnections sessions = new LockConnections(database, TIMEOUT, TIMEOUT);
        return new JdbcExecutor(
                "notices-test", 1, sessions, failures, new JdbcExecutor.Limits(TIMEOUT, TIMEOUT), System::nanoTime);
    }

    private static boolean listens(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet channels = statement.executeQuery("SELECT pg_listening_channels()")) {
            return channels.next();
        }
    }
}
