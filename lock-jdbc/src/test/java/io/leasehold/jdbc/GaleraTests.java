package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.SafetyFinding;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * F55: the inspection reports a Galera cluster at start-up, and row locks are rejected there. The server of this test
 * is not part of a cluster; it only returns the values of a node of such a cluster.
 */
class GaleraTests {

    private static final String QUESTION = "SHOW VARIABLES LIKE 'wsrep_on'";

    @ParameterizedTest
    @ValueSource(strings = {"ON", "1"})
    void aLeaseTableThereIsFound(String value) {
        try (JdbcLockBackend backend =
                JdbcLockBackend.withOwnPool(node(value), new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            assertThat(StoreClient.await(backend.inspect()))
                    .extracting(SafetyFinding::subject)
                    .containsExactly("wsrep_on");
            TestDatabase.client(backend).grant("a");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ON", "1"})
    void rowLocksThereAreFoundAndRefused(String value) {
        try (RowLockBackend backend = RowLockBackend.withOwnPool(node(value), new RowLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            assertThat(StoreClient.await(backend.inspect()))
                    .extracting(SafetyFinding::subject)
                    .containsExactly("wsrep_on");
            StoreClient client = new StoreClient(backend, "t-" + UUID.randomUUID());
            AcquireCommand command = new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false);
            assertThatThrownBy(
                            () -> backend.acquire(command).toCompletableFuture().join())
                    .hasMessageContaining("Galera")
                    .hasMessageContaining("use the lease table");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"OFF", "0"})
    void aStandaloneServerIsNoCluster(String value) {
        try (JdbcLockBackend backend =
                JdbcLockBackend.withOwnPool(node(value), new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            assertThat(StoreClient.await(backend.inspect())).isEmpty();
        }
    }

    private static AnsweringDataSource node(String value) {
        return new AnsweringDataSource(
                TestDatabase.MARIADB.dataSource(), QUESTION, "SELECT 'wsrep_on', '" + value + "'");
    }
}
