package io.leasehold.jdbc.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.UrlDataSource;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.LockConnections;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The rows that a process holds: their limit, and their end while no thread can be started. */
class HeldRowsTests {

    private static final Duration WAIT = Duration.ofSeconds(20);

    private final LockConnections connections = new LockConnections(
            new UrlDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"), WAIT, WAIT);

    private final LockId id = LockId.of("rows", "a");

    private final LockId other = LockId.of("rows", "b");

    private final Token token = new Token(1, 2);

    private final AtomicInteger refusals = new AtomicInteger();

    private final Executor endings = task -> {
        if (refusals.getAndDecrement() > 0) {
            throw new InternalError("no thread could be created");
        }
        task.run();
    };

    @Test
    void aRowThatWasNotRenewedEndsWhenAThreadCanBeStartedAgain() throws SQLException {
        refusals.set(2);
        try (HeldRows rows = new HeldRows(1, endings)) {
            HeldRow row = add(rows, -1);
            await().atMost(WAIT).until(() -> rows.find(id, token) == null);
            assertThat(row.end()).as("ended before").isFalse();
        }
    }

    @Test
    void allRowsEndWithoutAThread() throws SQLException {
        refusals.set(Integer.MAX_VALUE);
        HeldRows rows = new HeldRows(1, endings);
        add(rows, StoreClient.LONG.toNanos());
        rows.close();
        assertThat(rows.find(id, token)).isNull();
    }

    @Test
    void oneOfTwoAcquisitionsGetsTheLastPlace() throws SQLException {
        try (HeldRows rows = new HeldRows(1, endings)) {
            rows.requireRoom(id);
            rows.requireRoom(other);
            add(rows, StoreClient.LONG.toNanos());
            try (LockConnection connection = connections.open()) {
                AcquireCommand last = new AcquireCommand(other, token, StoreClient.LONG, 1, false);
                HeldRow row = row(connection, StoreClient.LONG.toNanos());
                assertThatThrownBy(() -> rows.add(last, row))
                        .isInstanceOf(BackendFailure.class)
                        .hasMessageContaining("'maxLocks'");
            }
            assertThat(rows.find(other, token)).isNull();
            assertThat(rows.find(id, token)).isNotNull();
        }
    }

    @Test
    void aRowThatHasEndedIsNotWatchedUntilItsDeadline() throws SQLException {
        try (HeldRows rows = new HeldRows(1, endings)) {
            HeldRow released = add(rows, StoreClient.LONG.toNanos());
            assertThat(rows.watched()).isOne();
            rows.remove(id, token, released, true);
            assertThat(rows.watched()).as("kept for its minimum hold time").isOne();
            rows.endAll();
            assertThat(rows.watched()).isZero();
            rows.remove(id, token, add(rows, StoreClient.LONG.toNanos()), false);
            assertThat(rows.watched()).isZero();
        }
    }

    private HeldRow add(HeldRows rows, long nanosToDeadline) throws SQLException {
        HeldRow row = row(connections.open(), nanosToDeadline);
        rows.add(new AcquireCommand(id, token, StoreClient.LONG, 1, false), row);
        return row;
    }

    private static HeldRow row(LockConnection connection, long nanosToDeadline) {
        return new HeldRow(
                new RowLockStatements("lock_row"),
                connection,
                System::nanoTime,
                1,
                System.nanoTime() + nanosToDeadline);
    }
}
