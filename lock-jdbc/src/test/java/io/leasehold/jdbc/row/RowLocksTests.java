package io.leasehold.jdbc.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.jdbc.ConnectionSetting;
import io.leasehold.jdbc.HinderedDataSource;
import io.leasehold.jdbc.TestDatabase;
import io.leasehold.jdbc.UrlDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Work in the transaction that holds the lock of a business row. */
class RowLocksTests {

    private static final LockableRow ROW = new LockableRow("account", "id", 1);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER", "H2"})
    void lockAndWorkAreCommittedTogether(TestDatabase database) throws SQLException {
        RowLocks locks = locks(database);
        assertThat(locks.inTransaction(ROW, Duration.ZERO, RowLocksTests::increment))
                .contains(1);
        assertThat(balance(database)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER", "H2"})
    void workThatFailsIsRolledBack(TestDatabase database) throws SQLException {
        RowLocks locks = locks(database);
        assertThatThrownBy(() -> locks.inTransaction(ROW, Duration.ZERO, connection -> {
                    increment(connection);
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(balance(database)).isZero();
        assertThat(locks.inTransaction(ROW, Duration.ZERO, RowLocksTests::increment))
                .contains(1);
    }

    @Test
    void workWithoutAResultIsRolledBack() throws SQLException {
        RowLocks locks = locks(TestDatabase.H2);
        assertThatThrownBy(() -> locks.inTransaction(ROW, Duration.ZERO, connection -> {
                    increment(connection);
                    return null;
                }))
                .isInstanceOf(NullPointerException.class);
        assertThat(balance(TestDatabase.H2)).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER", "H2"})
    void aLockedRowIsAnAnswer(TestDatabase database) throws SQLException {
        RowLocks locks = locks(database);
        assertThat(locks.inTransaction(ROW, Duration.ZERO, outer -> {
                    assertThat(locks.inTransaction(ROW, Duration.ZERO, RowLocksTests::increment))
                            .isEmpty();
                    assertThat(locks.inTransaction(ROW, Duration.ofMillis(200), RowLocksTests::increment))
                            .isEmpty();
                    assertThat(locks.inTransaction(ROW, Duration.ofNanos(500_000), RowLocksTests::increment))
                            .isEmpty();
                    return "held";
                }))
                .contains("held");
        assertThat(balance(database)).isZero();
    }

    /** An ALTER TABLE that waits for a transaction lets all others wait behind it, for a day in MariaDB. */
    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, LOCK TABLE account IN ACCESS EXCLUSIVE MODE",
        "MARIADB, LOCK TABLES account WRITE",
        "MYSQL_DRIVER, LOCK TABLES account WRITE"
    })
    void aLockedTableIsAnAnswer(TestDatabase database, String lock) throws SQLException {
        RowLocks locks = locks(database);
        try (Connection other = database.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute(lock);
            assertThat(locks.inTransaction(ROW, Duration.ZERO, RowLocksTests::increment))
                    .isEmpty();
            assertThat(locks.inTransaction(ROW, Duration.ofMillis(200), RowLocksTests::increment))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER", "H2"})
    void aWaiterGetsTheLock(TestDatabase database) throws Exception {
        RowLocks locks = locks(database);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                done.add(threads.submit(
                        () -> locks.inTransaction(ROW, Duration.ofSeconds(20), RowLocksTests::readThenWrite)
                                .orElseThrow()));
            }
            for (Future<?> each : done) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(balance(database)).isEqualTo(20);
    }

    /** PostgreSQL limits each of its waits: that for a waiter before, and then that for the row which this one has got. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void theWaitTimeIncludesTheWaitForOtherWaiters(TestDatabase database) throws Exception {
        RowLocks locks = locks(database);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (Connection holder = database.dataSource().getConnection();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("SELECT 1 FROM account WHERE id = 1 FOR UPDATE");
            CountDownLatch answered = new CountDownLatch(1);
            Future<Optional<Boolean>> first = threads.submit(() -> locks.inTransaction(
                    ROW, Duration.ofSeconds(60), connection -> waitFor(answered, Duration.ofSeconds(4))));
            awaitWaiters(database, 1);
            Future<Optional<Integer>> second = threads.submit(() -> {
                try {
                    return locks.inTransaction(ROW, Duration.ofSeconds(5), RowLocksTests::increment);
                } finally {
                    answered.countDown();
                }
            });
            awaitWaiters(database, 2);
            // with a wait that begins again now, the second waiter gets the row once the first one ends its work
            waitFor(answered, Duration.ofSeconds(4));
            holder.commit();
            assertThat(second.get()).isEmpty();
            assertThat(first.get()).contains(true);
        } finally {
            threads.shutdownNow();
        }
        assertThat(balance(database)).isZero();
    }

    /** The row was not locked by another transaction for the wait time. */
    @ParameterizedTest
    @ValueSource(ints = {0, 60})
    void aStatementThatAnAdministratorCancelsIsAFailure(int waitSeconds) {
        locks(TestDatabase.POSTGRESQL);
        HinderedDataSource database = new HinderedDataSource(TestDatabase.POSTGRESQL.dataSource());
        database.hinder("FOR UPDATE", 1, connection -> {
            throw new SQLException("canceling statement due to user request", "57014");
        });
        assertThatThrownBy(() -> new RowLocks(database)
                        .inTransaction(ROW, Duration.ofSeconds(waitSeconds), RowLocksTests::increment))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("user request");
    }

    /** It is a failure, as before the application used locks. */
    @Test
    void aShorterTimeLimitForStatementsApplies() throws SQLException {
        RowLocks locks = locks(TestDatabase.POSTGRESQL);
        RowLocks limited = new RowLocks(
                TestDatabase.POSTGRESQL.dataSource().with(ConnectionSetting.sql("SET statement_timeout = '200ms'")));
        locks.inTransaction(ROW, Duration.ZERO, outer -> {
            assertThatThrownBy(() -> limited.inTransaction(ROW, Duration.ofSeconds(60), RowLocksTests::increment))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            ex -> assertThat(ex.getSQLState()).isEqualTo("57014"));
            return "held";
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aWaiterGetsTheLockOfARowThatItsHolderHasReplaced(TestDatabase database) throws Exception {
        RowLocks locks = locks(database);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (Connection holder = database.dataSource().getConnection();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("SELECT 1 FROM account WHERE id = 1 FOR UPDATE");
            statement.execute("DELETE FROM account WHERE id = 1");
            statement.execute("INSERT INTO account VALUES (1, 7)");
            Future<Integer> waiter =
                    thread.submit(() -> locks.inTransaction(ROW, Duration.ofSeconds(60), RowLocksTests::increment)
                            .orElseThrow());
            awaitWaiters(database, 1);
            holder.commit();
            assertThat(waiter.get()).isEqualTo(1);
        } finally {
            thread.shutdownNow();
        }
        assertThat(balance(database)).isEqualTo(8);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void aMissingRowIsAnError(TestDatabase database) {
        LockableRow missing = new LockableRow("account", "id", 2);
        for (Duration waitTime : List.of(Duration.ZERO, Duration.ofSeconds(1))) {
            assertThatThrownBy(() -> locks(database).inTransaction(missing, waitTime, RowLocksTests::increment))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'account'")
                    .hasMessageContaining("'2'");
        }
    }

    /** The wait time is that for the row, and does not apply to other locks that the work needs. */
    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, SET lock_timeout = 7000, SHOW lock_timeout",
        "POSTGRESQL, SET statement_timeout = 7000, SHOW statement_timeout",
        "POSTGRESQL, SET statement_timeout = '7d', SHOW statement_timeout",
        "MARIADB, SET SESSION innodb_lock_wait_timeout = 7, SELECT @@SESSION.innodb_lock_wait_timeout",
        "MYSQL_DRIVER, SET SESSION innodb_lock_wait_timeout = 7, SELECT @@SESSION.innodb_lock_wait_timeout",
        "MARIADB, SET SESSION sql_select_limit = 7, SELECT @@SESSION.sql_select_limit",
        "MYSQL_DRIVER, SET SESSION sql_select_limit = 7, SELECT @@SESSION.sql_select_limit",
        "H2, SET LOCK_TIMEOUT 7000, SELECT LOCK_TIMEOUT()"
    })
    void theWorkWaitsForOtherLocksAsTheConnectionWasSet(TestDatabase database, String set, String read)
            throws SQLException {
        locks(database);
        UrlDataSource dataSource = database.dataSource().with(ConnectionSetting.sql(set));
        for (Duration waitTime : List.of(Duration.ZERO, Duration.ofSeconds(2))) {
            String setting = new RowLocks(dataSource)
                    .inTransaction(ROW, waitTime, connection -> text(connection, read))
                    .orElseThrow();
            assertThat(setting).startsWith("7");
        }
    }

    /** The time limit for the locks' own statements would end long statements of the work, with the connection. */
    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, 0",
        "POSTGRESQL, 7000",
        "MARIADB, 0",
        "MARIADB, 7000",
        "MYSQL_DRIVER, 0",
        "MYSQL_DRIVER, 7000"
    })
    void theWorkWaitsForAnswersAsTheConnectionWasSet(TestDatabase database, int networkTimeout) throws SQLException {
        locks(database);
        UrlDataSource dataSource =
                database.dataSource().with(connection -> connection.setNetworkTimeout(Runnable::run, networkTimeout));
        for (Duration waitTime : List.of(Duration.ZERO, Duration.ofSeconds(2))) {
            assertThat(new RowLocks(dataSource).inTransaction(ROW, waitTime, Connection::getNetworkTimeout))
                    .contains(networkTimeout);
        }
    }

    /** The next user of the connection would otherwise wait for rows as long as the lock did. */
    @Test
    void aConnectionWhoseSettingsCannotBeRestoredLeavesThePool() throws SQLException {
        locks(TestDatabase.H2);
        HinderedDataSource database = new HinderedDataSource(
                TestDatabase.H2.dataSource().with(ConnectionSetting.sql("SET LOCK_TIMEOUT 7000")));
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(database);
            pool.setMaximumPoolSize(1);
            RowLocks locks = new RowLocks(pool);
            locks(TestDatabase.H2).inTransaction(ROW, Duration.ZERO, outer -> {
                database.hinder("SET LOCK_TIMEOUT 7000", 1, connection -> {
                    throw new SQLException("the statement was cancelled", "57014", 57014);
                });
                return locks.inTransaction(ROW, Duration.ZERO, work -> 1);
            });
            assertThat(database.hindered()).isEqualTo(1);
            try (Connection next = pool.getConnection()) {
                assertThat(text(next, "SELECT LOCK_TIMEOUT()")).isEqualTo("7000");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER", "H2"})
    void theWaitTimeHasNoUpperLimit(TestDatabase database) throws SQLException {
        assertThat(locks(database)
                        .inTransaction(ROW, Duration.ofSeconds(Long.MAX_VALUE, 999_999_999), RowLocksTests::increment))
                .contains(1);
    }

    /** It was added to the longest wait for an answer, and so ended the application's connection. */
    @Test
    void aNegativeWaitTimeIsAnError() {
        assertThatThrownBy(() -> locks(TestDatabase.H2).inTransaction(ROW, Duration.ofSeconds(-40), work -> 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'waitTime' must not be negative: PT-40S. Set it to zero or more");
    }

    /** Waits until that many sessions wait for a row. */
    private static void awaitWaiters(TestDatabase database, int count) {
        String waiting = database == TestDatabase.POSTGRESQL
                ? "SELECT count(*) FROM pg_locks WHERE NOT granted"
                : "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
        // MariaDB refreshes this table only if it was not read for 100 ms
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> database.dataSource().query(waiting) >= count);
    }

    private static boolean waitFor(CountDownLatch latch, Duration longest) {
        try {
            return latch.await(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }

    private static String text(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static RowLocks locks(TestDatabase database) {
        UrlDataSource dataSource = database.dataSource();
        dataSource.execute("DROP TABLE IF EXISTS account");
        dataSource.execute("CREATE TABLE account (id INT PRIMARY KEY, balance INT NOT NULL)");
        dataSource.execute("INSERT INTO account VALUES (1, 0)");
        return new RowLocks(dataSource);
    }

    private static long balance(TestDatabase database) {
        return database.dataSource().query("SELECT balance FROM account");
    }

    private static int increment(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate("UPDATE account SET balance = balance + 1 WHERE id = 1");
        }
    }

    /** Loses updates if two callers run it at the same time. */
    private static int readThenWrite(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            int balance;
            try (var rows = statement.executeQuery("SELECT balance FROM account WHERE id = 1")) {
                rows.next();
                balance = rows.getInt(1);
            }
            return statement.executeUpdate("UPDATE account SET balance = " + (balance + 1) + " WHERE id = 1");
        }
    }
}
