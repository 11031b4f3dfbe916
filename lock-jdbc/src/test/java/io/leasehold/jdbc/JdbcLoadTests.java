package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Saturation is visible: the queue, the connections in use, and operations without an answer. */
class JdbcLoadTests {

    private static final Duration LONG = Duration.ofSeconds(50);

    private static final JdbcLockOptions OPTIONS =
            new JdbcLockOptions().withConnections(1).withCommandTimeout(LONG).withLockWait(LONG);

    private final AtomicLong clock = new AtomicLong(System.nanoTime());

    private final UrlDataSource database = TestDatabase.POSTGRESQL.dataSource();

    private final JdbcLockBackend backend = JdbcLockBackend.withOwnPool(database, OPTIONS, clock::get);

    private final StoreClient client = TestDatabase.client(backend);

    private Connection other;

    /** The only connection waits for a row that another transaction has locked. */
    @BeforeEach
    void lockARow() throws SQLException {
        backend.initializeSchema();
        Held held = client.grant("a");
        client.release(held);
        await().until(() -> backend.load().active() == 0);
        other = database.getConnection();
        other.setAutoCommit(false);
        try (Statement lock = other.createStatement()) {
            lock.execute("SELECT fence FROM lock_lease WHERE lock_key = '" + held.id() + "' FOR UPDATE");
        }
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        backend.close();
    }

    @Test
    void operationsThatAreNotSent() throws SQLException {
        CompletableFuture<AcquireAnswer> first = acquire("a");
        await().until(() -> backend.load().active() == 1);
        CompletableFuture<AcquireAnswer> late = acquire("b");
        CompletableFuture<AcquireAnswer> cancelled = acquire("c");
        assertThat(backend.load()).isEqualTo(new JdbcLoad(2, 1, 1, 0, 0));

        cancelled.cancel(true);
        assertThat(backend.load()).isEqualTo(new JdbcLoad(1, 1, 1, 1, 0));

        clock.addAndGet(OPTIONS.queueTimeout().toNanos() + 1);
        other.rollback();
        assertThat(first.join()).isInstanceOf(Granted.class);
        assertThat(late).failsWithin(LONG);
        await().untilAsserted(() -> assertThat(backend.load()).isEqualTo(new JdbcLoad(0, 0, 1, 2, 0)));
    }

    @Test
    void operationsThatAreNotAnswered() {
        CompletableFuture<AcquireAnswer> lost = acquire("a");
        await().until(() -> database.query("SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity"
                        + " WHERE wait_event_type = 'Lock' AND query LIKE '%lock_lease%' AND pid <> pg_backend_pid()")
                > 0);
        assertThat(lost).failsWithin(LONG);
        assertThat(backend.load().notAnswered()).isEqualTo(1);
    }

    private CompletableFuture<AcquireAnswer> acquire(String key) {
        return backend.acquire(new AcquireCommand(client.id(key), client.token(), StoreClient.LONG, 1, false))
                .toCompletableFuture();
    }
}
