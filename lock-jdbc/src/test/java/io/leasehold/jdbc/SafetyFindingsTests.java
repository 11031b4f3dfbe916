package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.StoreClient;
import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.SafetyFinding;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** F55: the findings about servers that cannot keep locks, or not safely. */
class SafetyFindingsTests {

    @Test
    void aStandbyIsFoundAndTakesNoLocks() {
        try (PostgresServer standby = PostgresServer.startStandby();
                JdbcLockBackend backend = JdbcLockBackend.withOwnPool(
                        new UrlDataSource(standby.url()), new JdbcLockOptions(), System::nanoTime)) {
            assertThat(subjects(backend)).contains("pg_is_in_recovery()", "table lock_lease");
            Throwable thrown = Assertions.catchThrowable(backend::initializeSchema);
            assertThat(thrown)
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(Effect.NOT_DONE))
                    .hasMessageContaining("read-only");
        }
    }

    @Test
    void aReplicaIsFound() {
        UrlDataSource dataSource = TestDatabase.MARIADB.dataSource();
        dataSource.execute("SET GLOBAL read_only = 1");
        try (JdbcLockBackend backend = TestDatabase.MARIADB.backend()) {
            assertThat(subjects(backend)).contains("read_only");
        } finally {
            dataSource.execute("SET GLOBAL read_only = 0");
        }
    }

    @Test
    void aServerThatForgetsCommitsIsFound() {
        UrlDataSource dataSource = TestDatabase.MYSQL_DRIVER.dataSource();
        dataSource.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
        try (JdbcLockBackend backend = TestDatabase.MYSQL_DRIVER.backend()) {
            assertThat(subjects(backend)).containsExactly("innodb_flush_log_at_trx_commit");
        } finally {
            dataSource.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
        }
    }

    /** The server empties such a table when it starts after a crash, and does not replicate it. */
    @Test
    void anUnloggedTableIsFound() {
        UrlDataSource dataSource = TestDatabase.POSTGRESQL.dataSource();
        dataSource.execute("DROP TABLE IF EXISTS lock_unlogged");
        try (JdbcLockBackend backend =
                TestDatabase.POSTGRESQL.backend(new JdbcLockOptions().withTable("lock_unlogged"))) {
            dataSource.execute("ALTER TABLE lock_unlogged SET UNLOGGED");
            assertThat(StoreClient.await(backend.inspect()))
                    .anySatisfy(finding -> assertThat(finding.toString())
                            .contains("table lock_unlogged: it is unlogged", "ALTER TABLE lock_unlogged SET LOGGED"));
            dataSource.execute("ALTER TABLE lock_unlogged SET LOGGED");
            assertThat(subjects(backend)).doesNotContain("table lock_unlogged");
        } finally {
            dataSource.execute("DROP TABLE lock_unlogged");
        }
    }

    @Test
    void aFlushAtEachCommitOfAGroupIsDurable() {
        UrlDataSource dataSource = TestDatabase.MARIADB.dataSource();
        dataSource.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 3");
        try (JdbcLockBackend backend = TestDatabase.MARIADB.backend()) {
            assertThat(subjects(backend)).isEmpty();
        } finally {
            dataSource.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "on, on, ",
        "on, remote_apply, ",
        "off, on, fsync",
        "on, off, synchronous_commit",
        "on, local, synchronous_commit",
    })
    void aPostgresThatForgetsCommitsIsFound(String fsync, String synchronousCommit, @Nullable String finding) {
        UrlDataSource server = TestDatabase.POSTGRESQL
                .dataSource()
                .with(ConnectionSetting.sql("SET synchronous_commit = " + synchronousCommit));
        TestDatabase.POSTGRESQL.backend().close();
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(
                new AnsweringDataSource(server, "SHOW fsync", "SELECT '" + fsync + "'"),
                new JdbcLockOptions(),
                System::nanoTime)) {
            assertThat(subjects(backend)).isEqualTo(finding == null ? List.of() : List.of(finding));
        }
    }

    /** A connection for replication, as a standby has. */
    @Test
    void asynchronousStandbysOfPostgresAreFound() throws SQLException {
        UrlDataSource server = TestDatabase.POSTGRESQL.dataSource();
        String replication = "&replication=true&preferQueryMode=simple&assumeMinServerVersion=9.4";
        try (JdbcLockBackend backend = TestDatabase.POSTGRESQL.backend()) {
            assertThat(subjects(backend)).doesNotContain("synchronous_standby_names");
            try (Connection standby = DriverManager.getConnection(server.url() + replication)) {
                assertThat(standby.isClosed()).isFalse();
                assertThat(subjects(backend)).contains("synchronous_standby_names");
            }
            await().until(() -> !subjects(backend).contains("synchronous_standby_names"));
        }
    }

    @Test
    void aBinaryLogOfStatementsIsFoundAndRefusesWrites() {
        try (MariaDbServer server = MariaDbServer.start("--log-bin", "--binlog-format=STATEMENT");
                JdbcLockBackend backend = JdbcLockBackend.withOwnPool(
                        new UrlDataSource(server.url()), new JdbcLockOptions(), System::nanoTime)) {
            assertThat(Assertions.catchThrowable(backend::initializeSchema))
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(Effect.REFUSED))
                    .hasMessageContaining("Set binlog_format to ROW or MIXED");
            assertThat(StoreClient.await(backend.inspect()))
                    .singleElement()
                    .asString()
                    .contains("table lock_lease", "Set binlog_format to ROW or MIXED")
                    .doesNotContain("Grant");
        }
    }

    @Test
    void aDatabaseInMemoryIsFound() {
        try (JdbcLockBackend backend = TestDatabase.H2.backend()) {
            assertThat(subjects(backend)).containsExactly("H2 in memory");
        }
    }

    @Test
    void theMessageForAnotherDatabaseListsTheSupportedOnes() {
        UrlDataSource h2 = new UrlDataSource("jdbc:h2:mem:other");
        RenamedDataSource other = new RenamedDataSource(h2, "Oracle");
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(other, new JdbcLockOptions(), System::nanoTime)) {
            StoreClient client = TestDatabase.client(backend);
            AcquireCommand command = new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false);
            assertThat(Assertions.catchThrowable(
                            () -> backend.acquire(command).toCompletableFuture().join()))
                    .hasMessageContaining("PostgreSQL, MariaDB, MySQL and H2, not in 'Oracle'");
        }
    }

    private static List<String> subjects(JdbcLockBackend backend) {
        return StoreClient.await(backend.inspect()).stream()
                .map(SafetyFinding::subject)
                .toList();
    }
}
