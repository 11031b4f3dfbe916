package io.leasehold.jdbc;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** F53 and F54: row locks that end without their holder, and the fencing tokens afterwards. */
class LostRowLockTests {

    private static final int NO_SUCH_THREAD = 1094;

    private final String namespace = "t-" + UUID.randomUUID();

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void aKilledConnectionLosesItsLockAndTheNextHasAGreaterFence(TestDatabase database) throws SQLException {
        try (RowLockBackend one = backend(database, System::nanoTime);
                RowLockBackend other = backend(database, System::nanoTime)) {
            StoreClient zombie = new StoreClient(one, namespace);
            StoreClient successor = new StoreClient(other, namespace);
            Held lost = zombie.grant(zombie.id("a"), StoreClient.LONG, 100);
            successor.busy(lost.id());

            // MariaDB refreshes its list only if it was not read for 100 ms
            await().atMost(20, SECONDS).pollInterval(Duration.ofMillis(200)).until(() -> {
                killTransactions(database);
                return zombie.renew(lost, StoreClient.LONG) == RenewAnswer.NOT_OWNER;
            });
            assertThat(zombie.release(lost)).isEqualTo(ReleaseAnswer.NOT_OWNER);
            Held next = successor.grant("a");
            assertThat(next.firstFence()).isGreaterThanOrEqualTo(lost.firstFence() + 100);
            assertThat(zombie.busy(next.id()).remaining()).isPositive();
        }
    }

    /** The session ends while the fencing tokens are reserved on another one. Another process may hold the row then. */
    @Test
    void aRowThatIsLostWhileItIsAcquiredIsNotGranted() throws SQLException {
        TestDatabase database = TestDatabase.POSTGRESQL;
        try (RowLockBackend backend = backend(database, System::nanoTime);
                Connection outside = database.dataSource().getConnection();
                Statement statement = outside.createStatement()) {
            StoreClient client = new StoreClient(backend, namespace);
            client.release(client.grant("a"));
            outside.setAutoCommit(false);
            statement.executeQuery("SELECT * FROM lock_row_fence FOR UPDATE");
            CompletableFuture<AcquireAnswer> acquired = backend.acquire(
                            new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false))
                    .toCompletableFuture();
            await().atMost(20, SECONDS).until(() -> idleTransactions(database) == 2);
            killTransactions(database);
            assertThat(acquired)
                    .failsWithin(20, SECONDS)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(BackendFailure.class);
        }
    }

    private static int idleTransactions(TestDatabase database) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** MariaDB 12 answers with words, of which one stands for a primary. */
    @ParameterizedTest
    @CsvSource({"0, true", "OFF, true", "1, false", "ON, false", "NO_LOCK, false", "NO_LOCK_NO_ADMIN, false"})
    void aServerSaysWhetherItMayBeWrittenTo(String readOnly, boolean writable) {
        assertThat(JdbcInspection.saysWritable(readOnly)).isEqualTo(writable);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void theServerEndsTheLockOfASuspendedProcess(TestDatabase database) {
        long stopped = System.nanoTime();
        try (RowLockBackend one = backend(database, () -> stopped);
                RowLockBackend other = backend(database, System::nanoTime)) {
            Held held = new StoreClient(one, namespace)
                    .grant(new StoreClient(one, namespace).id("a"), Duration.ofSeconds(1));
            StoreClient successor = new StoreClient(other, namespace);
            AcquireCommand command = new AcquireCommand(held.id(), successor.token(), StoreClient.LONG, 1, false);
            await().atMost(20, SECONDS).until(() -> successor.acquire(command) instanceof Granted);
        }
    }

    /** A primary that is demoted without a restart keeps its sessions, and other processes lock the row elsewhere. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL_DRIVER"})
    void aDemotedPrimaryLosesItsLocks(TestDatabase database) throws SQLException {
        try (RowLockBackend backend = backend(database, System::nanoTime)) {
            StoreClient client = new StoreClient(backend, namespace);
            Held held = client.grant("a");
            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            execute(database, "SET GLOBAL read_only = 1");
            try {
                assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.NOT_OWNER);
            } finally {
                execute(database, "SET GLOBAL read_only = 0");
            }
        }
    }

    /** The longest transactions that the administrator permits do not limit how long a lock is held. */
    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, ALTER ROLE CURRENT_USER SET transaction_timeout = '2s',"
                + " ALTER ROLE CURRENT_USER RESET transaction_timeout",
        "MARIADB, SET GLOBAL idle_readonly_transaction_timeout = 2, SET GLOBAL idle_readonly_transaction_timeout = 0",
    })
    void aLimitOfTransactionsEndsNoLock(TestDatabase database, String limit, String usual) {
        assertThatALimitEndsNoLock(database.dataSource(), limit, usual);
    }

    /** The server's limits are those of MariaDB with MySQL's driver as well, which names its database MySQL. */
    @Test
    void aLimitOfTransactionsInMariaDbEndsNoLockOfMySqlsDriver() {
        assertThatALimitEndsNoLock(
                new UrlDataSource(MariaDbServer.shared().mysqlUrl()),
                "SET GLOBAL idle_readonly_transaction_timeout = 2, GLOBAL idle_transaction_timeout = 2",
                "SET GLOBAL idle_readonly_transaction_timeout = 0, GLOBAL idle_transaction_timeout = 0");
    }

    private void assertThatALimitEndsNoLock(UrlDataSource database, String limit, String usual) {
        database.execute(limit);
        try (RowLockBackend backend = backend(database, System::nanoTime)) {
            StoreClient client = new StoreClient(backend, namespace);
            Held held = client.grant("a");
            await().pollDelay(4, SECONDS).until(() -> true);
            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
        } finally {
            database.execute(usual);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void theNumberOfHeldLocksIsLimited(TestDatabase database) {
        RowLockOptions options = new RowLockOptions().withMaxLocks(2);
        try (RowLockBackend backend = RowLockBackend.withOwnPool(database.dataSource(), options, System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = new StoreClient(backend, namespace);
            Held first = client.grant("a");
            client.grant("b");
            AcquireCommand third = new AcquireCommand(client.id("c"), client.token(), StoreClient.LONG, 1, false);
            assertThat(Assertions.catchThrowable(
                            () -> backend.acquire(third).toCompletableFuture().join()))
                    .hasMessageContaining("holds 2 row locks already")
                    .hasMessageContaining("'maxLocks'");
            client.release(first);
            client.grant(third);
        }
    }

    @Test
    void aProcessThatClosesItsBackendFreesItsLocks() {
        RowLockBackend one = backend(TestDatabase.POSTGRESQL, System::nanoTime);
        try (RowLockBackend other = backend(TestDatabase.POSTGRESQL, System::nanoTime)) {
            Held held = new StoreClient(one, namespace).grant("a");
            StoreClient successor = new StoreClient(other, namespace);
            successor.busy(held.id());
            one.close();
            assertThat(successor.grant("a").firstFence()).isGreaterThan(held.firstFence());
        }
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static RowLockBackend backend(TestDatabase database, LongSupplier nanoTime) {
        return backend(database.dataSource(), nanoTime);
    }

    private static RowLockBackend backend(UrlDataSource database, LongSupplier nanoTime) {
        RowLockBackend backend = RowLockBackend.withOwnPool(database, new RowLockOptions(), nanoTime);
        backend.initializeSchema();
        return backend;
    }

    /** Terminates the sessions with row locks that are in the server's list, which may be slightly out of date. */
    private static void killTransactions(TestDatabase database) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            if (database == TestDatabase.POSTGRESQL) {
                statement.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'");
                return;
            }
            List<Long> sessions = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(
                    "SELECT trx_mysql_thread_id FROM information_schema.innodb_trx WHERE trx_rows_locked > 0")) {
                while (rows.next()) {
                    sessions.add(rows.getLong(1));
                }
            }
            for (long session : sessions) {
                kill(statement, session);
            }
        }
    }

    /** Terminates a session. A session of an earlier test may have ended since the query. */
    private static void kill(Statement statement, long session) throws SQLException {
        try {
            statement.execute("KILL " + session);
        } catch (SQLException ex) {
            if (ex.getErrorCode() != NO_SUCH_THREAD) {
                throw ex;
            }
        }
    }
}
