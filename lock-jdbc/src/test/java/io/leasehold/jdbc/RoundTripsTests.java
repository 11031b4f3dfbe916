package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.ReleaseAnswer;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A free lock is acquired by one statement and released by one, and nothing besides is sent. */
class RoundTripsTests {

    private final String namespace = "r-" + UUID.randomUUID();

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aLockThatWasUsedHere(TestDatabase database) {
        count(database, (client, other) -> client.release(client.grant("a")), 1);
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aLockThatWasNeverUsed(TestDatabase database) {
        count(database, (client, other) -> {}, 1);
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aLockThatOnlyAnotherProcessUsed(TestDatabase database) {
        count(database, (client, other) -> other.release(other.grant("a")), 1);
    }

    /** The first statement is the one for known keys, which finds no row. */
    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aLockWhoseRowWasRemovedCostsTwoMore(TestDatabase database) {
        count(
                database,
                (client, other) -> {
                    Held held = client.grant("a");
                    client.release(held);
                    database.dataSource().execute("DELETE FROM lock_lease WHERE lock_key = '" + held.id() + "'");
                },
                3);
    }

    /** One finds that the lock is held, one reads the holder, and neither changes the row. */
    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aHeldLockCostsTwo(TestDatabase database) {
        CountingDataSource dataSource = new CountingDataSource(database.dataSource());
        try (JdbcLockBackend backend = backend(dataSource);
                JdbcLockBackend elsewhere = database.backend()) {
            StoreClient client = new StoreClient(backend, namespace);
            Held held = new StoreClient(elsewhere, namespace).grant("a");
            client.release(client.grant("b"));
            for (int attempt = 1; attempt <= 2; attempt++) {
                dataSource.sent();
                client.busy(held.id());
                assertThat(dataSource.sent()).as("attempt %d", attempt).isLessThanOrEqualTo(2);
            }
        }
    }

    private void count(TestDatabase database, BiConsumer<StoreClient, StoreClient> before, int mostToAcquire) {
        CountingDataSource dataSource = new CountingDataSource(database.dataSource());
        try (JdbcLockBackend backend = backend(dataSource);
                JdbcLockBackend elsewhere = database.backend()) {
            StoreClient client = new StoreClient(backend, namespace);
            before.accept(client, new StoreClient(elsewhere, namespace));
            client.release(client.grant("other"));
            dataSource.sent();

            Held held = client.grant("a");
            assertThat(dataSource.sent()).isBetween(1, mostToAcquire);
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            assertThat(dataSource.sent()).isEqualTo(1);
        }
    }

    private static JdbcLockBackend backend(CountingDataSource dataSource) {
        JdbcLockBackend backend = JdbcLockBackend.withOwnPool(dataSource, new JdbcLockOptions(), System::nanoTime);
        backend.initializeSchema();
        return backend;
    }
}
