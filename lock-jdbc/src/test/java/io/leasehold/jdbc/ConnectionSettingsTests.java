package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Locks behave the same with all connection settings of an application: isolation, autocommit, read-only, time zones
 * (F17).
 */
class ConnectionSettingsTests {

    static Stream<Arguments> combinations() {
        List<Arguments> all = new ArrayList<>();
        for (TestDatabase database : TestDatabase.values()) {
            all.add(Arguments.of(database, "REPEATABLE READ", isolation(Connection.TRANSACTION_REPEATABLE_READ)));
            all.add(Arguments.of(database, "SERIALIZABLE", isolation(Connection.TRANSACTION_SERIALIZABLE)));
            all.add(Arguments.of(
                    database, "no autocommit", (ConnectionSetting) connection -> connection.setAutoCommit(false)));
            all.add(Arguments.of(
                    database, "read only", (ConnectionSetting) connection -> connection.setReadOnly(true)));
            all.add(Arguments.of(database, "east", zone(database, "+13:00")));
            all.add(Arguments.of(database, "west", zone(database, "-11:00")));
            if (database == TestDatabase.MARIADB || database == TestDatabase.MARIADB_AFFECTED_ROWS) {
                all.add(Arguments.of(database, "Oracle's mode", ConnectionSetting.sql("SET sql_mode = 'ORACLE'")));
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("combinations")
    void connectionsOfAnySettingExcludeOthers(TestDatabase database, String name, ConnectionSetting setting) {
        UrlDataSource odd = database.dataSource().with(setting);
        String namespace = "t-" + UUID.randomUUID();
        try (JdbcLockBackend plainBackend = database.backend();
                JdbcLockBackend oddBackend =
                        JdbcLockBackend.withOwnPool(odd, new JdbcLockOptions(), System::nanoTime)) {
            StoreClient plain = new StoreClient(plainBackend, namespace);
            StoreClient other = new StoreClient(oddBackend, namespace);

            Held held = other.grant(plain.id("a"), Duration.ofSeconds(60));
            assertRuns(plain.busy(held.id()), 60);
            assertThat(plain.renew(held, Duration.ofSeconds(90))).isEqualTo(RenewAnswer.RENEWED);
            assertRuns(other.busy(held.id()), 90);
            assertThat(other.renew(held, Duration.ofSeconds(120))).isEqualTo(RenewAnswer.RENEWED);
            assertThat(other.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            Held next = plain.grant("a");
            assertThat(next.firstFence()).isGreaterThan(held.firstFence());
            assertThat(next.firstFence() - held.firstFence())
                    .isLessThan(Duration.ofMinutes(1).toNanos() / 1_000);
            assertRuns(other.busy(held.id()), 30);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("combinations")
    void aFreeRowOfAnotherProcessIsAcquired(TestDatabase database, String name, ConnectionSetting setting) {
        String namespace = "t-" + UUID.randomUUID();
        try (JdbcLockBackend plainBackend = database.backend();
                JdbcLockBackend oddBackend = JdbcLockBackend.withOwnPool(
                        database.dataSource().with(setting), new JdbcLockOptions(), System::nanoTime)) {
            StoreClient plain = new StoreClient(plainBackend, namespace);
            StoreClient other = new StoreClient(oddBackend, namespace);
            Held first = plain.grant("a");
            plain.release(first);

            Held second = other.grant("a");
            assertRuns(plain.busy(second.id()), 30);
            assertThat(other.renew(second, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            assertThat(second.firstFence()).isGreaterThan(first.firstFence());
        }
    }

    private static void assertRuns(Busy busy, int seconds) {
        assertThat(busy.remaining()).isBetween(Duration.ofSeconds(seconds - 20), Duration.ofSeconds(seconds));
    }

    private static ConnectionSetting isolation(int level) {
        return connection -> connection.setTransactionIsolation(level);
    }

    private static ConnectionSetting zone(TestDatabase database, String offset) {
        return ConnectionSetting.sql(
                switch (database) {
                    case POSTGRESQL -> "SET TIME ZONE INTERVAL '" + offset + "' HOUR TO MINUTE";
                    case H2 -> "SET TIME ZONE '" + offset + "'";
                    default -> "SET time_zone = '" + offset + "'";
                });
    }
}
