package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import io.leasehold.jdbc.JdbcSchema;
import io.leasehold.jdbc.PlainDataSource;
import io.leasehold.jdbc.TestDatabase;
import io.leasehold.jdbc.connection.JdbcExecutor.Urgency;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each connection that was taken for work is given back, whatever happens to the work. */
class JdbcExecutorTests {

    private static final Duration LONG = Duration.ofSeconds(20);

    private static final SQLException NO_ANSWER = new SQLException("the connection ended", "08006");

    private final List<Connection> opened = new CopyOnWriteArrayList<>();

    private volatile @Nullable Error fault;

    private final JdbcExecutor executor = new JdbcExecutor(
            "executor-test",
            1,
            new LockConnections(new Opened(), LONG, LONG),
            new SqlErrorTranslator(JdbcSchema.ofLeases("lock_lease")),
            new JdbcExecutor.Limits(LONG, LONG),
            System::nanoTime);

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
