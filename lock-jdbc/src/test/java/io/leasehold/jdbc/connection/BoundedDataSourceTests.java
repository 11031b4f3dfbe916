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

    private final AtomicInteger attempts = new AtomicInteger();

    private final AtomicInteger missingThreads = new AtomicInteger();

    private final BoundedDataSource hole =
            new BoundedDataSource(this::open, DatabaseAddress.UNKNOWN, LONGEST, LONGEST, this::thread);

    @Test
    void openingEndsInTimeAndALateConnectionIsClosed() throws Exception {
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThatExceptionOfType(SQLTransientConnectionException.class)
                    .isThrownBy(hole::getConnection)
                    .withMessageContaining("within " + LONGEST);
        }
        healAfter(3);
        try (Connection connection = hole.getConnection()) {
            assertThat(connection.isClosed()).isFalse();
        }
        awaitClosed(3);
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

    /** As after a failover: the former server never answers the handshake, and the present one does. */
    @Test
    void aConnectionIsUsedWhileAnEarlierOneIsBeingOpened() throws Exception {
        try (Connection connection = patient(this::firstHangs).getConnection()) {
            assertThat(connection.isClosed()).isFalse();
        }
        healAfter(1);
        awaitClosed(1);
    }

    @Test
    void aFailureDoesNotEndTheWaitForAnEarlierConnection() throws Exception {
        try (Connection connection = patient(this::secondFails).getConnection()) {
            assertThat(connection.isClosed()).isFalse();
        }
        assertThat(attempts).hasValueGreaterThanOrEqualTo(2);
    }

    @Test
    void theFailureOfTheOnlyConnectionIsThrownAtOnce() {
        Duration minute = Duration.ofMinutes(1);
        BoundedDataSource refusing =
                new BoundedDataSource(this::refused, DatabaseAddress.UNKNOWN, minute, minute, this::thread);
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(refusing::getConnection)
                .withMessage("refused");
        assertThat(attempts).hasValue(1);
    }

    /** As of a credentials provider without access to the tokens that are the passwords. */
    @Test
    void aFailureThatIsNotOfTheDriverIsNamed() {
        BoundedDataSource source = patient(() -> {
            throw new IllegalStateException("no token for user 'app'");
        });
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(source::getConnection)
                .withMessageContaining("no token for user 'app'");
    }

    @Test
    void aThreadThatCannotBeStartedKeepsNoEarlierConnectionOpen() {
        BoundedDataSource hangs = new BoundedDataSource(
                this::open, DatabaseAddress.UNKNOWN, LONGEST, Duration.ofMinutes(1), this::threadAndThenNone);
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(hangs::getConnection);
        healAfter(1);
        awaitClosed(1);
    }

    /** Opens a second connection soon, and waits for a minute. */
    private BoundedDataSource patient(BoundedDataSource.Opening opening) {
        return new BoundedDataSource(opening, DatabaseAddress.UNKNOWN, LONGEST, Duration.ofMinutes(1), this::thread);
    }

    private Connection firstHangs() throws SQLException {
        return attempts.getAndIncrement() > 0 ? TestDatabase.H2.dataSource().getConnection() : open();
    }

    private Connection secondFails() throws SQLException {
        if (attempts.getAndIncrement() > 0) {
            healed.complete(null);
            throw new SQLException("refused");
        }
        return open();
    }

    private Connection refused() throws SQLException {
        attempts.incrementAndGet();
        throw new SQLException("refused");
    }

    private void healAfter(int openings) {
        await().untilAsserted(() -> assertThat(opened).hasValue(openings));
        healed.complete(null);
    }

    private void awaitClosed(int connections) {
        await().untilAsserted(() -> {
            synchronized (late) {
                assertThat(late).hasSize(connections).allMatch(BoundedDataSourceTests::isClosed);
            }
        });
    }

    private Thread threadAndThenNone(Runnable task) {
        Thread thread = thread(task);
        missingThreads.set(1);
        return attempts.getAndIncrement() > 0 ? thread : new Thread(task);
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
        boolean isLate = !healed.isDone();
        opened.incrementAndGet();
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
