package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.greaterThan;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.LockBackendException;
import io.leasehold.LockListener;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.jdbc.table.KeyHash;
import io.leasehold.spi.LockId;
import io.leasehold.testsupport.QuietLog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A row that a foreign transaction keeps locked occupies one connection, for any number of attempts. */
class OneLockedRowTests {

    private final String namespace = "one-" + UUID.randomUUID();

    private final QuietLog quiet = new QuietLog("io.leasehold.engine");

    private final LockEngine engine = new LockEngine(new LockListener() {});

    private final AtomicBoolean enough = new AtomicBoolean();

    private final AtomicInteger failures = new AtomicInteger();

    @AfterEach
    void close() {
        engine.close();
        quiet.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void otherKeysAreStillLocked(TestDatabase database) throws Exception {
        JdbcLockOptions options = new JdbcLockOptions().withConnections(2).withLockWait(Duration.ofSeconds(3));
        try (JdbcLockBackend backend = database.backend(options);
                Connection other = database.dataSource().getConnection()) {
            LeaseLocker locker = engine.locker(LockerSettings.of(namespace), "jdbc", backend);
            locker.lock("a").release();
            other.setAutoCommit(false);
            lockRow(other, "a");
            Thread caller = new Thread(() -> tryRepeatedly(locker, "a", failures));
            caller.start();
            try {
                await().atMost(Duration.ofSeconds(30)).untilAtomic(failures, greaterThan(1));
                for (int i = 0; i < 10; i++) {
                    assertThat(locker.tryLock("b" + i, Duration.ZERO))
                            .as("lock %d", i)
                            .isPresent();
                }
            } finally {
                enough.set(true);
                other.rollback();
                caller.join();
            }
        }
    }

    /**
     * Each locked row occupies a connection once: until the lock wait is over, or until the command timeout if that
     * comes first. Databases of the MySQL family round the lock wait up to seconds.
     */
    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, PT1S, PT5S",
        "MARIADB, PT1S, PT5S",
        "MARIADB, PT2.1S, PT2.1S",
        "MYSQL_DRIVER, PT1S, PT5S",
        "MYSQL_DRIVER, PT2.1S, PT2.1S",
    })
    void asManyLockedRowsAsConnectionsDoNotBlockOtherKeys(
            TestDatabase database, Duration lockWait, Duration commandTimeout) throws Exception {
        List<String> locked = List.of("a", "b", "c");
        JdbcLockOptions options = new JdbcLockOptions()
                .withConnections(locked.size())
                .withCommandTimeout(commandTimeout)
                .withLockWait(lockWait);
        List<Thread> callers = new ArrayList<>();
        Map<String, AtomicInteger> failed = new ConcurrentHashMap<>();
        try (JdbcLockBackend backend = database.backend(options);
                Connection other = database.dataSource().getConnection()) {
            LeaseLocker locker = engine.locker(
                    LockerSettings.of(namespace).withCommandTimeout(Duration.ofSeconds(10)), "jdbc", backend);
            other.setAutoCommit(false);
            for (String key : locked) {
                locker.lock(key).release();
                lockRow(other, key);
                failed.put(key, new AtomicInteger());
            }
            for (String key : locked) {
                Thread caller = new Thread(() -> tryRepeatedly(locker, key, failed.get(key)));
                caller.start();
                callers.add(caller);
            }
            try {
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> failed.values().stream().allMatch(failures -> failures.get() > 0));
                for (int i = 0; i < 10; i++) {
                    assertThat(locker.tryLock("free-" + i, Duration.ZERO))
                            .as("lock %d", i)
                            .isPresent();
                }
            } finally {
                other.rollback();
            }
            for (String key : locked) {
                await().atMost(Duration.ofSeconds(30))
                        .ignoreException(LockBackendException.class)
                        .until(() -> locker.tryLock(key, Duration.ofSeconds(1))
                                .map(held -> held.release())
                                .orElse(false));
            }
            enough.set(true);
            for (Thread caller : callers) {
                caller.join();
            }
        } finally {
            enough.set(true);
        }
    }

    /** One thread reserves the fencing tokens of all row locks. */
    @ParameterizedTest
    @ValueSource(strings = {"PT5S", "PT0.8S"})
    void aLockedRowOfFencingTokensIsWaitedForOnce(Duration commandTimeout) throws Exception {
        UrlDataSource database = TestDatabase.POSTGRESQL.dataSource();
        RowLockOptions options = new RowLockOptions().withCommandTimeout(commandTimeout);
        try (RowLockBackend backend = rowLocks(database, options);
                Connection other = database.getConnection()) {
            LeaseLocker locker = engine.locker(LockerSettings.of(namespace), "row-lock", backend);
            locker.lock("a").release();
            other.setAutoCommit(false);
            lockRow(other, "lock_row_fence", "a");
            Thread caller = new Thread(() -> tryRepeatedly(locker, "a", failures));
            caller.start();
            try {
                await().atMost(Duration.ofSeconds(30)).untilAtomic(failures, greaterThan(1));
                for (int look = 0; look < 20; look++) {
                    assertThat(database.query("SELECT count(*) FROM pg_locks WHERE NOT granted"))
                            .as("waiting statements at look %d", look)
                            .isZero();
                    await().pollDelay(Duration.ofMillis(50)).until(() -> true);
                }
            } finally {
                enough.set(true);
                other.rollback();
                caller.join();
            }
        }
    }

    /** The server ends an idle connection with a row after the ttl, and must not end it in the pool. */
    @Test
    void anAttemptThatFailsLeavesNoIdleTimeOnItsConnection() throws Exception {
        UrlDataSource database = TestDatabase.MARIADB.dataSource();
        HikariConfig config = new HikariConfig();
        config.setDataSource(database);
        config.setMaximumPoolSize(3);
        try (HikariDataSource pool = new HikariDataSource(config);
                RowLockBackend backend =
                        new RowLockBackend(pool, new RowLockOptions().withConnections(1), System::nanoTime);
                Connection other = database.getConnection()) {
            backend.initializeSchema();
            LeaseLocker locker = engine.locker(LockerSettings.of(namespace), "row-lock", backend);
            locker.lock("a").release();
            other.setAutoCommit(false);
            lockRow(other, "lock_row_fence", "a");
            assertThatExceptionOfType(LockBackendException.class).isThrownBy(() -> locker.tryLock("a", Duration.ZERO));
            other.rollback();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
            try (Connection first = pool.getConnection();
                    Connection second = pool.getConnection();
                    Connection third = pool.getConnection()) {
                for (Connection each : List.of(first, second, third)) {
                    assertThat(idleSeconds(each)).isZero();
                }
            }
        }
    }

    private static long idleSeconds(Connection connection) throws SQLException {
        try (Statement read = connection.createStatement();
                ResultSet rows = read.executeQuery("SELECT @@SESSION.idle_transaction_timeout")) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }

    private static RowLockBackend rowLocks(UrlDataSource database, RowLockOptions options) {
        RowLockBackend backend = RowLockBackend.withOwnPool(database, options, System::nanoTime);
        backend.initializeSchema();
        return backend;
    }

    private void lockRow(Connection other, String key) throws SQLException {
        lockRow(other, "lock_lease", key);
    }

    private void lockRow(Connection other, String table, String key) throws SQLException {
        try (PreparedStatement lock =
                other.prepareStatement("SELECT fence FROM " + table + " WHERE key_hash = ? FOR UPDATE")) {
            lock.setBytes(1, KeyHash.of(LockId.of(namespace, key)));
            assertThat(lock.executeQuery().next()).isTrue();
        }
    }

    private void tryRepeatedly(LeaseLocker locker, String key, AtomicInteger failures) {
        while (!enough.get()) {
            try {
                locker.tryLock(key, Duration.ZERO).ifPresent(held -> held.release());
            } catch (LockBackendException ex) {
                failures.incrementAndGet();
            }
        }
    }
}
