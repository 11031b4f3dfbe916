package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import io.leasehold.jdbc.JdbcSchema;
import io.leasehold.jdbc.PlainDataSource;
import io.leasehold.jdbc.TestDatabase;
import io.leasehold.jdbc.connection.JdbcExecutor.Urgency;
import io.leasehold.spi.LockId;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each connection that was taken for work is given back, whatever happens to the work. */
class JdbcExecutorTests {

    private static final Duration LONG = Duration.ofSeconds(20);

    private static final SQLException NO_ANSWER = new SQLException("the connection ended", "08006");

    private final List<Connection> opened = new CopyOnWriteArrayList<>();

    private volatile @Nullable Error fault;

    private final JdbcExecutor executor = executor(1, LONG);

    @AfterEach
    void close() {
        executor.close();
    }

    @Test
    void aQuestionAboutTheOutcomeThatFailsUnexpectedly() {
        CompletableFuture<String> asked = executor.submit(
                Urgency.FIRST,
                "work",
                session -> {
                    throw NO_ANSWER;
                },
                session -> {
                    throw new IllegalStateException("a fault of the driver");
                });
        assertThatThrownBy(() -> asked.get(20, TimeUnit.SECONDS)).hasMessageContaining("a fault of the driver");
        assertThatAllAreClosed(2);
    }

    @Test
    void aConnectionThatCannotBeSetUp() {
        fault = new OutOfMemoryError("not enough for the settings of a connection");
        CompletableFuture<String> asked = executor.submit("work", session -> "done");
        assertThatThrownBy(() -> asked.get(20, TimeUnit.SECONDS)).hasMessageContaining("not enough");
        assertThatAllAreClosed(1);
    }

    @Test
    void workThatFailsUnexpectedly() {
        CompletableFuture<String> asked = executor.submit("work", session -> {
            throw new IllegalStateException("a fault of the driver");
        });
        assertThatThrownBy(() -> asked.get(20, TimeUnit.SECONDS)).hasMessageContaining("a fault of the driver");
        assertThatAllAreClosed(1);
    }

    @Test
    void theOutcomeOfCancelledWorkIsNotAskedFor() throws Exception {
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        AtomicInteger begun = new AtomicInteger();
        CompletableFuture<String> asked = executor.submit(
                Urgency.FIRST,
                "work",
                session -> {
                    begun.incrementAndGet();
                    cancelled.join();
                    throw NO_ANSWER;
                },
                session -> {
                    begun.incrementAndGet();
                    return Optional.of("done");
                });
        await().untilAtomic(begun, is(1));
        asked.cancel(true);
        cancelled.complete(null);
        assertThat(executor.submit("next work", session -> "done").get(20, TimeUnit.SECONDS))
                .isEqualTo("done");
        assertThat(begun).hasValue(1);
        assertThatAllAreClosed(2);
    }

    @Test
    void workBehindEarlierWorkOnTheSameLockDoesNotBlameConnections() {
        LockId lock = LockId.of("executor", "test");
        CompletableFuture<Void> end = new CompletableFuture<>();
        AtomicInteger begun = new AtomicInteger();
        try (JdbcExecutor two = executor(2, Duration.ofMillis(1))) {
            two.submit(
                    Urgency.PATIENT,
                    lock,
                    "earlier work",
                    session -> {
                        begun.incrementAndGet();
                        return end.join();
                    },
                    session -> Optional.empty());
            await().untilAtomic(begun, is(1));
            CompletableFuture<String> late =
                    two.submit(Urgency.SOON, lock, "late work", session -> "done", session -> Optional.empty());
            CompletableFuture<String> cancelled =
                    two.submit(Urgency.SOON, lock, "cancelled work", session -> "done", session -> Optional.empty());
            await().until(() -> two.queued() == 0);
            await().pollDelay(Duration.ofMillis(10)).until(() -> true);
            cancelled.cancel(true);
            end.complete(null);
            assertThatThrownBy(() -> late.get(20, TimeUnit.SECONDS))
                    .hasMessageContaining("late work was not begun: it waited for earlier work on the same lock");
            assertThat(two.submit("next work", session -> "done")).succeedsWithin(LONG);
            assertThat(two.notSent()).isEqualTo(2);
        }
    }

    /** The engine waits for a connection for ten seconds, and does not know the reason then. */
    @Test
    void anAttemptToConnectSaysWhyThereIsNoConnectionBeforeItsCallerGivesUp() {
        AtomicLong clock = new AtomicLong();
        AtomicInteger attempts = new AtomicInteger();
        DataSource full = new PlainDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                attempts.incrementAndGet();
                clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(9_500));
                throw new SQLTransientConnectionException(
                        "none is available", "08001", new SQLException("too many clients", "53300"));
            }
        };
        try (JdbcExecutor connecting = executor(1, LONG, full, clock::get)) {
            assertThatThrownBy(() -> connecting.connect(() -> {}).get(20, TimeUnit.SECONDS))
                    .hasMessageContaining("too many clients");
        }
        assertThat(attempts).hasValue(1);
    }

    private JdbcExecutor executor(int size, Duration queue) {
        return executor(size, queue, new Opened(), System::nanoTime);
    }

    private static JdbcExecutor executor(int size, Duration queue, DataSource source, LongSupplier nanoTime) {
        return new JdbcExecutor(
                "executor-test",
                size,
                new LockConnections(source, LONG, LONG),
                new SqlErrorTranslator(JdbcSchema.ofLeases("lock_lease")),
                new JdbcExecutor.Limits(queue, LONG),
                nanoTime);
    }

    private void assertThatAllAreClosed(int connections) {
        await().untilAsserted(() -> assertThat(opened)
                .hasSize(connections)
                .allSatisfy(connection -> assertThat(connection.isClosed()).isTrue()));
    }

    private final class Opened extends PlainDataSource {

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = TestDatabase.H2.dataSource().getConnection();
            opened.add(connection);
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        Error thrown = fault;
                        if (thrown != null && method.getName().equals("unwrap")) {
                            throw thrown;
                        }
                        return method.invoke(connection, arguments);
                    });
        }
    }
}
