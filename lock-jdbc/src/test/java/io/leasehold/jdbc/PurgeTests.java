package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.RenewAnswer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** F56: purging removes unused rows, but no held lock, and preserves the order of fencing tokens. */
class PurgeTests {

    private static final String TWO_DAYS_AGO = "fence = fence - 172800000000";

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void onlyOldFreeRowsAreRemoved(TestDatabase database) {
        String table = "lock_purge";
        database.dataSource().execute("DROP TABLE IF EXISTS " + table);
        try (JdbcLockBackend backend = database.backend(new JdbcLockOptions().withTable(table))) {
            StoreClient client = TestDatabase.client(backend);
            Held old = client.grant("old");
            Held oldAndHeld = client.grant("old-and-held");
            client.release(old);
            database.dataSource().execute("UPDATE " + table + " SET " + TWO_DAYS_AGO);
            Held recent = client.grant("recent");
            client.release(recent);

            assertThat(StoreClient.await(backend.purge())).isEqualTo(1);

            assertThat(client.renew(oldAndHeld, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            assertThat(client.grant("recent").firstFence()).isGreaterThan(recent.firstFence());
            assertThat(client.grant("old").firstFence()).isGreaterThan(old.firstFence());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void manyRowsAreRemovedInSeveralTransactions(TestDatabase database) {
        String table = "lock_purge_many";
        database.dataSource().execute("DROP TABLE IF EXISTS " + table);
        try (JdbcLockBackend backend = database.backend(new JdbcLockOptions().withTable(table))) {
            StoreClient client = TestDatabase.client(backend);
            for (int i = 0; i < 1_100; i++) {
                Held held = client.grant(UUID.randomUUID().toString());
                client.release(held);
            }
            database.dataSource().execute("UPDATE " + table + " SET " + TWO_DAYS_AGO);
            assertThat(StoreClient.await(backend.purge())).isEqualTo(1_100);
            assertThat(database.dataSource().query("SELECT COUNT(*) FROM " + table))
                    .isZero();
        }
    }

    /** The thread that watches for releases also reads the clock. */
    @Test
    void waitingCallersAreStillWokenDuringALongPurge() {
        HinderedDataSource database = new HinderedDataSource(TestDatabase.POSTGRESQL.dataSource());
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(database, new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            CompletableFuture<Void> scanned = new CompletableFuture<>();
            database.hinder("DELETE FROM", 1, connection -> scanned.join());
            CompletableFuture<Integer> purge = backend.purge().toCompletableFuture();
            try {
                await().until(() -> database.hindered() == 1);
                assertThat(StoreClient.await(backend.clockMillis())).isPresent();
                assertThat(purge).isNotDone();
            } finally {
                scanned.complete(null);
            }
            assertThat(StoreClient.await(purge)).isNotNegative();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void aPurgeMayTakeLongerThanOtherCommands(TestDatabase database) {
        HinderedDataSource hindered = new HinderedDataSource(database.dataSource());
        JdbcLockOptions options = new JdbcLockOptions().withCommandTimeout(Duration.ofSeconds(2));
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(hindered, options, System::nanoTime)) {
            backend.initializeSchema();
            AtomicInteger longest = new AtomicInteger();
            hindered.hinder("DELETE FROM", 1, connection -> longest.set(connection.getNetworkTimeout()));
            StoreClient.await(backend.purge());
            assertThat(longest).hasValueGreaterThan(2_000);

            hindered.hinder("lock_lease", 1, connection -> longest.set(connection.getNetworkTimeout()));
            TestDatabase.client(backend).grant("a");
            assertThat(longest).hasValue(2_000);
        }
    }
}
