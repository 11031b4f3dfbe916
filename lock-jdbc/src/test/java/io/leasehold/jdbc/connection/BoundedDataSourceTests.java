package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A network that drops handshakes blocks no thread of a pool, and no connection is left when it heals. */
class BoundedDataSourceTests {

    private static final Duration LONGEST = Duration.ofMillis(50);

    private final CompletableFuture<Void> healed = new CompletableFuture<>();

    private final AtomicInteger opened = new AtomicInteger();

    private final List<Connection> late = new ArrayList<>();

    private final AtomicInteger missingThreads = new AtomicInteger();

    private final BoundedDataSource hole =
            new BoundedDataSource(this::open, DatabaseAddress.UNKNOWN, LONGEST, this::thread);

    @Test
    void openingEndsInTimeAndALateConnectionIsClosed() throws Exception {
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThatExceptionOfType(SQLTransientConnectionException.class)
                    .isThrownBy(hole::getConnection)
                    .withMessageContaining("within " + LONGEST);
        }
        healed.complete(null);
        try (Connection connection = hole.getConnection()) {
            assertThat(connection.isClosed()).isFalse();
        }
        await().untilAsserted(() -> {
            synchronized (late) {
                assertThat(late).hasSize(3).allMatch(BoundedDataSourceTests::isClosed);
            }
        });
    }

    @Test
    void theCallsToADriverThatNeverReturnsAreLimited() {
        for (int attempt = 1; attempt <= 20; attempt++) {
            assertThatExceptionOfType(SQLTransientConnectionException.class).isThrownBy(hole::getConnection);
        }
        assertThat(opened).hasValue(16);
        healed.complete(null);
        await().ignoreException(SQLTransientConnectionException.class)
                .untilAsserted(() -> hole.getConnection().close());
    }

    @Test
    void aThreadThatCannotBeStartedTakesNoPlace() throws SQLException {
        healed.complete(null);
        missingThreads.set(20);
        for (int attempt = 1; attempt <= 20; attempt++) {
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(hole::getConnection);
        }
        await().ignoreException(SQLTransientConnectionException.class)
                .untilAsserted(() -> hole.getConnection().close());
    }

    private Thread thread(Runnable task) {
        return new Thread(task) {
            @Override
            public void start() {
                if (missingThreads.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        };
    }

    private Connection open() throws SQLException {
        opened.incrementAndGet();
        boolean isLate = !healed.isDone();
        healed.join();
        Connection connection = TestDatabase.H2.dataSource().getConnection();
        if (isLate) {
            synchronized (late) {
                late.add(connection);
            }
        }
        return connection;
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException ex) {
            return true;
        }
    }
}
