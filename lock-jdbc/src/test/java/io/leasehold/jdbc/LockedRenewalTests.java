package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.table.KeyHash;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An open foreign transaction that keeps a lock's row locked does not prevent the renewal of other locks. */
class LockedRenewalTests {

    private static final Duration TOO_LONG = Duration.ofSeconds(60);

    private static final Comparator<Held> BY_ROW =
            Comparator.comparing(held -> KeyHash.of(held.id()), Arrays::compareUnsigned);

    private static final JdbcLockOptions OPTIONS =
            new JdbcLockOptions().withCommandTimeout(TOO_LONG).withLockWait(TOO_LONG);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void theOthersOfItsBatchAreRenewedImmediately(TestDatabase database) throws SQLException {
        renewBesideALockedRow(database, OPTIONS);
    }

    /** These databases have no lock wait per statement that is short enough: MySQL waits for at least a second. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_DRIVER", "MYSQL_DRIVER_AFFECTED_ROWS", "H2"})
    void theOthersOfItsBatchAreRenewedAfterTheLockWait(TestDatabase database) throws SQLException {
        renewBesideALockedRow(database, OPTIONS.withLockWait(Duration.ofSeconds(1)));
    }

    /** The statement that waits for the row keeps those locked that it has renewed, until its lock wait is over. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_DRIVER", "MYSQL_DRIVER_AFFECTED_ROWS"})
    void theOthersOfItsBatchAreRenewedIfTheLockWaitIsLongerThanAnAnswerMayTake(TestDatabase database)
            throws SQLException {
        JdbcLockOptions options = OPTIONS.withLockWait(Duration.ofSeconds(2));
        try (JdbcLockBackend backend = database.backend(options);
                Connection other = database.dataSource().getConnection()) {
            StoreClient client = TestDatabase.client(backend);
            List<Held> held =
                    Stream.of("a", "b", "c").map(client::grant).sorted(BY_ROW).toList();
            other.setAutoCommit(false);
            lockRow(other, held.get(1));
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(renew(client, held, Duration.ofSeconds(3)))
                            .containsExactly(RenewAnswer.RENEWED, RenewAnswer.UNKNOWN, RenewAnswer.RENEWED));
            other.rollback();
        }
    }

    private static void renewBesideALockedRow(TestDatabase database, JdbcLockOptions options) throws SQLException {
        try (JdbcLockBackend backend = database.backend(options);
                Connection other = database.dataSource().getConnection()) {
            StoreClient client = TestDatabase.client(backend);
            List<Held> held = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                held.add(client.grant("lock-" + i));
            }
            client.release(held.get(5));
            other.setAutoCommit(false);
            try {
                lockRow(other, held.get(2));
                assertThat(renew(client, held, StoreClient.LONG.multipliedBy(2)))
                        .containsExactly(
                                RenewAnswer.RENEWED,
                                RenewAnswer.RENEWED,
                                RenewAnswer.UNKNOWN,
                                RenewAnswer.RENEWED,
                                RenewAnswer.RENEWED,
                                RenewAnswer.NOT_OWNER);
                assertThat(client.busy(held.get(1).id()).remaining()).isGreaterThan(StoreClient.LONG);
            } finally {
                other.rollback();
            }
            assertThat(client.busy(held.get(2).id()).remaining()).isLessThanOrEqualTo(StoreClient.LONG);
            assertThat(client.renew(held.get(2), StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
        }
    }

    private static void lockRow(Connection other, Held held) throws SQLException {
        try (PreparedStatement lock =
                other.prepareStatement("SELECT 1 FROM lock_lease WHERE key_hash = ? FOR UPDATE")) {
            lock.setBytes(1, KeyHash.of(held.id()));
            assertThat(lock.executeQuery().next()).isTrue();
        }
    }

    private static List<RenewAnswer> renew(StoreClient client, List<Held> held, Duration ttl) {
        return client.renew(held.stream()
                .map(lock -> new RenewCommand(lock.id(), lock.token(), ttl))
                .toList());
    }
}
