package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.table.KeyHash;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** The statement would have the time at which it began, before the renewal of the other lock. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER", "H2"})
    void aRenewalThatMeetsALockedRowDoesNotShortenANewerOne(TestDatabase database) throws SQLException {
        HinderedDataSource hindered = new HinderedDataSource(database.dataSource());
        try (JdbcLockBackend backend = backend(hindered, OPTIONS);
                Connection other = database.dataSource().getConnection()) {
            StoreClient client = TestDatabase.client(backend);
            List<Held> held =
                    Stream.of("a", "b").map(client::grant).sorted(BY_ROW).toList();
            other.setAutoCommit(false);
            lockRow(other, held.get(0));
            CountDownLatch sent = new CountDownLatch(1);
            hindered.hinder("UPDATE", 1, connection -> sent.countDown());
            CompletableFuture<List<RenewAnswer>> both =
                    CompletableFuture.supplyAsync(() -> renew(client, held, StoreClient.LONG));
            await().until(() -> sent.getCount() == 0);
            assertThat(client.renew(held.get(1), StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            long expiry = expiry(other, held.get(1));
            other.rollback();
            assertThat(both.join()).hasSize(2);
            assertThat(expiry(other, held.get(1))).isGreaterThanOrEqualTo(expiry);
        }
    }

    /** As after a wait for the whole table, of which these databases tell nothing: their time is that of the beginning. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL_DRIVER"})
    void aRenewalThatBeganEarlierDoesNotShortenANewerOne(TestDatabase database) throws SQLException {
        HinderedDataSource hindered = new HinderedDataSource(database.dataSource());
        try (JdbcLockBackend backend = backend(hindered, OPTIONS);
                Connection other = database.dataSource().getConnection()) {
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("a");
            long expiry = expiry(other, held);
            hindered.hinder("UPDATE", 1, connection -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SET timestamp = UNIX_TIMESTAMP(NOW(6)) - 2");
                }
            });
            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            assertThat(hindered.hindered()).isEqualTo(1);
            assertThat(expiry(other, held)).isGreaterThanOrEqualTo(expiry);
        }
    }

    /** No other process can have acquired it, since its row was locked. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER", "H2"})
    void aLeaseThatExpiresWhileItsRowIsLockedForItsRenewalIsRenewed(TestDatabase database) throws SQLException {
        HinderedDataSource hindered = new HinderedDataSource(database.dataSource());
        try (JdbcLockBackend backend = backend(hindered, OPTIONS.withLockWait(Duration.ofSeconds(1)));
                Connection other = database.dataSource().getConnection()) {
            StoreClient client = TestDatabase.client(backend);
            Duration ttl = Duration.ofSeconds(4);
            Held held = client.grant(client.id("a"), ttl);
            other.setAutoCommit(false);
            lockRow(other, held);
            // only a row that another transaction has locked at first is renewed in a transaction that locks it
            hindered.hinder("FOR UPDATE SKIP LOCKED", 1, transaction -> {
                other.rollback();
                hindered.hinder(
                        "UPDATE lock_lease",
                        1,
                        connection -> LockSupport.parkNanos(ttl.plusMillis(100).toNanos()));
            });
            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            assertThat(hindered.hindered()).isEqualTo(2);
            client.busy(held.id());
        }
    }

    /** As if the machine had vanished there: its locks are free when they have expired. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void aProcessThatStopsDuringARenewalKeepsNoRowLocked(TestDatabase database) throws Exception {
        HinderedDataSource hindered = new HinderedDataSource(database.dataSource());
        CountDownLatch end = new CountDownLatch(1);
        try (JdbcLockBackend stopping = backend(hindered, OPTIONS);
                JdbcLockBackend other = database.backend(OPTIONS.withLockWait(Duration.ofSeconds(1)))) {
            StoreClient client = TestDatabase.client(stopping);
            Duration ttl = Duration.ofSeconds(4);
            List<Held> held = Stream.of("a", "b", "c")
                    .map(name -> client.grant(client.id(name), ttl))
                    .toList();
            client.release(held.get(0));
            CountDownLatch stopped = new CountDownLatch(2);
            hindered.hinder("UPDATE lock_lease", 2, connection -> {
                stopped.countDown();
                if (stopped.getCount() == 0) {
                    awaitUninterruptibly(end);
                }
            });
            CompletableFuture<?> renewal = CompletableFuture.supplyAsync(() -> renew(client, held, ttl));
            try {
                await().atMost(Duration.ofSeconds(20)).until(() -> stopped.getCount() == 0);
                await().atMost(Duration.ofSeconds(40))
                        .until(() -> isGranted(other, held.get(1).id(), ttl));
            } finally {
                end.countDown();
            }
            renewal.join();
        }
    }

    /**
     * The server may read all rows of a small table instead of those that it is to change, and then wait for any of them.
     * MariaDB 11.6 and later do so with their default settings.
     */
    @ParameterizedTest
    @CsvSource({
        "MARIADB, SET SESSION innodb_snapshot_isolation = ON",
        "MARIADB, SELECT 1",
        "MYSQL_DRIVER, SELECT 1",
        "H2, SELECT 1",
        "POSTGRESQL, SELECT 1"
    })
    void theOthersOfASmallTableAreRenewed(TestDatabase database, String setting) throws SQLException {
        UrlDataSource dataSource = database.dataSource().with(ConnectionSetting.sql(setting));
        JdbcLockOptions options = OPTIONS.withTable("lease_small").withLockWait(Duration.ofSeconds(1));
        dataSource.execute("DROP TABLE IF EXISTS lease_small");
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(dataSource, options, System::nanoTime);
                Connection other = dataSource.getConnection()) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            List<Held> held = IntStream.range(0, 40)
                    .mapToObj(i -> client.grant("lock-" + i))
                    .toList();
            other.setAutoCommit(false);
            lockRow(other, "lease_small", held.get(0));
            List<RenewAnswer> answers = renew(client, held, StoreClient.LONG);
            other.rollback();
            assertThat(answers.get(0)).isEqualTo(RenewAnswer.UNKNOWN);
            assertThat(answers.subList(1, held.size())).containsOnly(RenewAnswer.RENEWED);
        }
    }

    private static boolean isGranted(JdbcLockBackend backend, LockId id, Duration ttl) {
        return backend.acquire(new AcquireCommand(id, new Token(1, 1), ttl, 1, false))
                .handle((answer, failure) -> answer instanceof Granted)
                .toCompletableFuture()
                .join();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private static JdbcLockBackend backend(HinderedDataSource database, JdbcLockOptions options) {
        JdbcLockBackend backend = JdbcLockBackend.withOwnPool(database, options, System::nanoTime);
        backend.initializeSchema();
        return backend;
    }

    private static long expiry(Connection connection, Held held) throws SQLException {
        try (PreparedStatement read =
                connection.prepareStatement("SELECT expires_at FROM lock_lease WHERE key_hash = ?")) {
            read.setBytes(1, KeyHash.of(held.id()));
            try (ResultSet rows = read.executeQuery()) {
                assertThat(rows.next()).isTrue();
                return rows.getLong(1);
            }
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
        lockRow(other, "lock_lease", held);
    }

    private static void lockRow(Connection other, String table, Held held) throws SQLException {
        try (PreparedStatement lock =
                other.prepareStatement("SELECT 1 FROM " + table + " WHERE key_hash = ? FOR UPDATE")) {
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
