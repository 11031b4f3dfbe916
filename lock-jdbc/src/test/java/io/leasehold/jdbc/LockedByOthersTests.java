package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A foreign transaction that keeps a lock's row locked delays callers by the lock wait at most. */
class LockedByOthersTests {

    private static final JdbcLockOptions OPTIONS = new JdbcLockOptions().withLockWait(Duration.ofMillis(300));

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aFreeLockWhoseRowIsLockedIsNotAcquiredAndNotBusy(TestDatabase database) throws SQLException {
        try (JdbcLockBackend backend = database.backend(OPTIONS);
                Connection other = database.dataSource().getConnection()) {
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("a");
            client.release(held);
            AcquireCommand command = new AcquireCommand(held.id(), client.token(), StoreClient.LONG, 1, false);

            other.setAutoCommit(false);
            try (Statement statement = other.createStatement()) {
                statement.executeUpdate("UPDATE lock_lease SET fence = fence WHERE lock_key = '" + held.id() + "'");
                Throwable thrown = Assertions.catchThrowable(
                        () -> backend.acquire(command).toCompletableFuture().join());
                assertThat(thrown.getCause())
                        .isInstanceOfSatisfying(
                                BackendFailure.class,
                                failure -> assertThat(failure.effect()).isEqualTo(Effect.NOT_DONE))
                        .hasMessageContaining("another transaction has the row locked");
            } finally {
                other.rollback();
            }
            assertThat(client.acquire(command)).isInstanceOf(Granted.class);
        }
    }

    /** A backup, or a change of the table. Otherwise each attempt would leave a waiting session behind. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL_DRIVER"})
    void aWaitForTheTableEndsInTheServer(TestDatabase database) throws SQLException {
        try (JdbcLockBackend backend = database.backend(OPTIONS);
                Connection other = database.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            StoreClient client = TestDatabase.client(backend);
            client.grant("a");
            AcquireCommand command = new AcquireCommand(client.id("b"), client.token(), StoreClient.LONG, 1, false);
            statement.execute("LOCK TABLES lock_lease READ");
            try {
                Throwable thrown = Assertions.catchThrowable(
                        () -> backend.acquire(command).toCompletableFuture().join());
                assertThat(thrown.getCause())
                        .isInstanceOfSatisfying(
                                BackendFailure.class,
                                failure -> assertThat(failure.effect()).isEqualTo(Effect.NOT_DONE));
            } finally {
                statement.execute("UNLOCK TABLES");
            }
            client.grant(command);
        }
    }
}
