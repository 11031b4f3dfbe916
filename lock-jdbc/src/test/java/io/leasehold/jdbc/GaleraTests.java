package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.LockableRow;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.jdbc.row.RowLocks;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.SafetyFinding;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * F55: the inspection reports a cluster whose nodes all take writes at start-up, and row locks are rejected there. The
 * server of these tests is not part of a cluster; it only returns the values of a node of such a cluster.
 */
class GaleraTests {

    private static final LockableRow ROW = new LockableRow("galera_account", "id", 1);

    /** A cluster, by the variable of which its nodes have a certain value. */
    enum Cluster {
        GALERA("wsrep_on", "sql_log_bin", "Galera"),
        GROUP_REPLICATION("group_replication_single_primary_mode", "big_tables", "Group Replication");

        private static final String QUESTION = "SHOW VARIABLES WHERE Variable_name = 'wsrep_on' AND Value = 'ON'"
                + " OR Variable_name = 'group_replication_single_primary_mode' AND Value = 'OFF'";

        private final String variable;

        /** A variable that has that value on any server. */
        private final String sameValue;

        private final String product;

        Cluster(String variable, String sameValue, String product) {
            this.variable = variable;
            this.sameValue = sameValue;
            this.product = product;
        }

        private DataSource node() {
            return new AnsweringDataSource(
                    TestDatabase.MARIADB.dataSource(), QUESTION, QUESTION.replace(variable, sameValue));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLeaseTableThereIsFound(Cluster cluster) {
        try (JdbcLockBackend backend =
                JdbcLockBackend.withOwnPool(cluster.node(), new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            assertThat(StoreClient.await(backend.inspect()))
                    .extracting(SafetyFinding::subject)
                    .containsExactly(cluster.variable);
            TestDatabase.client(backend).grant("a");
        }
    }

    @ParameterizedTest
    @EnumSource
    void rowLocksThereAreFoundAndRefused(Cluster cluster) {
        try (RowLockBackend backend =
                RowLockBackend.withOwnPool(cluster.node(), new RowLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            assertThat(StoreClient.await(backend.inspect()))
                    .extracting(SafetyFinding::subject)
                    .containsExactly(cluster.variable);
            StoreClient client = new StoreClient(backend, "t-" + UUID.randomUUID());
            AcquireCommand command = new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false);
            assertThatThrownBy(
                            () -> backend.acquire(command).toCompletableFuture().join())
                    .hasMessageContaining(cluster.product)
                    .hasMessageContaining("use the lease table");
        }
    }

    @ParameterizedTest
    @EnumSource
    void workUnderABusinessRowsLockIsRefusedThere(Cluster cluster) {
        createRow();
        RowLocks locks = new RowLocks(cluster.node());
        for (int call = 0; call < 2; call++) {
            assertThatThrownBy(() -> locks.inTransaction(ROW, Duration.ZERO, connection -> "done"))
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            refusal -> assertThat(refusal.effect()).isEqualTo(Effect.REFUSED))
                    .hasMessageContaining(cluster.product)
                    .hasMessageContaining("use the lease table");
        }
    }

    @Test
    void aServerIsAskedOnceByAllCalls() throws SQLException {
        createRow();
        Deque<DataSource> servers = new ArrayDeque<>(List.of(TestDatabase.MARIADB.dataSource(), Cluster.GALERA.node()));
        RowLocks locks = new RowLocks(new PlainDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return servers.remove().getConnection();
            }
        });
        for (int call = 0; call < 2; call++) {
            assertThat(locks.inTransaction(ROW, Duration.ZERO, connection -> "done"))
                    .contains("done");
        }
    }

    /**
     * A node repeats an upsert that another node's grant has rolled back, and returns the rows of both attempts. Seen on
     * a cluster of MariaDB 11.8.9: two processes held one lock.
     */
    @Test
    void aGrantThatWasRolledBackIsNone() {
        try (JdbcLockBackend holder = TestDatabase.MARIADB.backend();
                JdbcLockBackend backend = JdbcLockBackend.withOwnPool(
                        new RepeatingDataSource(TestDatabase.MARIADB.dataSource()),
                        new JdbcLockOptions(),
                        System::nanoTime)) {
            StoreClient client = TestDatabase.client(holder);
            client.grant("a");
            AcquireCommand other = new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false);
            assertThat(StoreClient.await(backend.acquire(other))).isInstanceOf(AcquireAnswer.Busy.class);
        }
    }

    @Test
    void aStandaloneServerIsNoCluster() {
        try (JdbcLockBackend backend = TestDatabase.MARIADB.backend()) {
            assertThat(StoreClient.await(backend.inspect())).isEmpty();
        }
    }

    private static void createRow() {
        UrlDataSource owner = TestDatabase.MARIADB.dataSource();
        owner.execute("CREATE TABLE IF NOT EXISTS galera_account (id INT PRIMARY KEY)");
        owner.execute("INSERT IGNORE INTO galera_account VALUES (1)");
    }
}
