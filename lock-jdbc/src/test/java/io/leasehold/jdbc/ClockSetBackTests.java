package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.table.LeaseRequest;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The database's clock is set back by an hour or half a minute, so earlier writes appear to be in the future. A lease lasts
 * for its ttl from the moment at which this is detected. A holder's view never ends after its row, and the row of a dead
 * holder does not stay for an hour.
 */
class ClockSetBackTests {

    private static final Duration SHORT = Duration.ofSeconds(1);

    private static final long HOUR = LeaseRequest.micros(Duration.ofHours(1));

    private static final long HALF_A_MINUTE = LeaseRequest.micros(Duration.ofSeconds(30));

    private static final long LONG = LeaseRequest.micros(StoreClient.LONG);

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aDeadHoldersLockIsGrantedAfterItsTtl(TestDatabase database) {
        try (JdbcLockBackend backend = database.backend()) {
            StoreClient client = TestDatabase.client(backend);
            Held dead = client.grant(client.id("a"), SHORT);
            setBack(database, dead);
            assertThat(client.busy(dead.id()).remaining()).isLessThanOrEqualTo(SHORT);
            await().atMost(Duration.ofMinutes(1)).until(() -> asks(client, dead));
        }
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aLivingHolderDoesNotLoseItsLock(TestDatabase database) {
        try (JdbcLockBackend backend = database.backend()) {
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant(client.id("a"), StoreClient.LONG);
            long expiry = column(database, held, "expires_at");
            setBack(database, held);

            Busy busy = client.busy(held.id());

            assertThat(busy.remaining()).isLessThanOrEqualTo(StoreClient.LONG);
            assertThat(column(database, held, "expires_at")).isBetween(expiry, expiry + HOUR - 1);
            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            assertThat(client.grant("a").firstFence()).isGreaterThan(held.firstFence());
        }
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void afterARenewalTheRowIsCorrectedAsWell(TestDatabase database) {
        for (long jump : new long[] {HALF_A_MINUTE, HOUR}) {
            try (JdbcLockBackend backend = database.backend()) {
                StoreClient client = TestDatabase.client(backend);
                Held held = client.grant(client.id("a"), StoreClient.LONG);
                long expiry = column(database, held, "expires_at");
                setBack(database, held, jump);
                assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
                assertThat(column(database, held, "expires_at - written_at")).isLessThanOrEqualTo(LONG);
                assertThat(client.busy(held.id()).remaining()).isLessThanOrEqualTo(StoreClient.LONG);
                assertThat(column(database, held, "expires_at")).isBetween(expiry, expiry + jump - 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void theLockOfAHolderThatDiesAfterARenewalIsGrantedAfterItsTtl(TestDatabase database) {
        for (long jump : new long[] {HALF_A_MINUTE, HOUR}) {
            try (JdbcLockBackend backend = database.backend()) {
                StoreClient client = TestDatabase.client(backend);
                Held dead = client.grant(client.id("a"), SHORT);
                setBack(database, dead, jump);
                assertThat(client.renew(dead, SHORT)).isEqualTo(RenewAnswer.RENEWED);
                assertThat(client.busy(dead.id()).remaining()).isLessThanOrEqualTo(SHORT);
                await().atMost(Duration.ofMinutes(1)).until(() -> asks(client, dead));
            }
        }
    }

    /** It comes before another caller detects the change of the clock. */
    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aLongerRenewalLastsForItsWholeTtl(TestDatabase database) {
        for (long jump : new long[] {HALF_A_MINUTE, HOUR}) {
            try (JdbcLockBackend backend = database.backend()) {
                StoreClient client = TestDatabase.client(backend);
                Held held = client.grant(client.id("a"), StoreClient.LONG);
                setBack(database, held, jump);
                assertThat(client.renew(held, StoreClient.LONG.multipliedBy(2))).isEqualTo(RenewAnswer.RENEWED);
                assertThat(column(database, held, "expires_at - written_at"))
                        .isGreaterThan(2 * LONG - LeaseRequest.micros(SHORT));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aResentCommandCorrectsTheTimesOfTheRow(TestDatabase database) {
        try (JdbcLockBackend backend = database.backend()) {
            StoreClient client = TestDatabase.client(backend);
            AcquireCommand command = new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false);
            Held held = client.grant(command);
            setBack(database, held);
            assertThat(client.acquire(command)).isInstanceOf(Granted.class);
            assertThat(column(database, held, "expires_at - written_at")).isLessThanOrEqualTo(LONG);
        }
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aMinimumHoldTimeEndsAsWell(TestDatabase database) {
        try (JdbcLockBackend backend = database.backend()) {
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant(client.id("a"), StoreClient.LONG);
            assertThat(client.release(held, SHORT)).isEqualTo(ReleaseAnswer.RELEASED);
            setBack(database, held);
            await().atMost(Duration.ofMinutes(1)).until(() -> asks(client, held));
        }
    }

    /** An instance of an older version does not record the time of its write. Its leases are never cut short. */
    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aLongerLeaseOfAnOlderVersionIsLeftAlone(TestDatabase database) {
        try (JdbcLockBackend backend = database.backend()) {
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant(client.id("a"), SHORT);
            execute(database, held, "expires_at = expires_at + " + HOUR);
            long expiry = column(database, held, "expires_at");
            assertThat(client.busy(held.id()).remaining()).isGreaterThan(Duration.ofMinutes(50));
            assertThat(column(database, held, "expires_at")).isEqualTo(expiry);

            execute(database, held, "written_at = 0");
            assertThat(client.busy(held.id()).remaining()).isGreaterThan(Duration.ofMinutes(50));
        }
    }

    /** The correction has the time at which its statement began, in databases whose time is that of the beginning. */
    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aRenewalThatTheCorrectionWouldWaitForIsNotShortened(TestDatabase database) throws SQLException {
        HinderedDataSource hindered = new HinderedDataSource(database.dataSource());
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(hindered, new JdbcLockOptions(), System::nanoTime);
                Connection renewing = database.dataSource().getConnection()) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant(client.id("a"), StoreClient.LONG);
            AtomicInteger sent = new AtomicInteger();
            hindered.hinder("lock_lease", Integer.MAX_VALUE, connection -> sent.incrementAndGet());
            client.busy(held.id());
            int correction = sent.getAndSet(0) + 1;
            setBack(database, held);
            renewing.setAutoCommit(false);
            AtomicReference<CompletableFuture<Long>> renewed = new AtomicReference<>();
            hindered.hinder("lock_lease", Integer.MAX_VALUE, connection -> {
                if (sent.incrementAndGet() == correction) {
                    renewed.set(renewal(database, renewing, held));
                }
            });

            client.busy(held.id());

            assertThat(renewed.get()).isNotNull();
            assertThat(column(database, held, "expires_at"))
                    .isGreaterThanOrEqualTo(renewed.get().join() + LONG);
        }
    }

    /** Locks the row, and renews it when another statement waits for it. Returns the time of the renewal. */
    private static CompletableFuture<Long> renewal(TestDatabase database, Connection renewing, Held held)
            throws SQLException {
        try (Statement statement = renewing.createStatement()) {
            // the lease was written ahead of the time, and so lasts longer than a ttl from now
            assertThat(statement.executeUpdate(
                            "UPDATE lock_lease SET expires_at = expires_at + 1 WHERE lock_key = '" + held.id() + "'"))
                    .isEqualTo(1);
        }
        return CompletableFuture.supplyAsync(() -> {
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
            try {
                long now = column(database, held, dialect(database).now());
                renewing.commit();
                return now;
            } catch (SQLException ex) {
                throw new IllegalStateException(ex);
            }
        });
    }

    private static DatabaseDialect dialect(TestDatabase database) {
        return switch (database) {
            case POSTGRESQL -> DatabaseDialect.POSTGRESQL;
            case H2 -> DatabaseDialect.H2;
            default -> DatabaseDialect.MARIADB;
        };
    }

    private static boolean asks(StoreClient client, Held dead) {
        AcquireCommand command = new AcquireCommand(dead.id(), client.token(), StoreClient.LONG, 1, false);
        return client.acquire(command) instanceof Granted;
    }

    private static void setBack(TestDatabase database, Held held) {
        setBack(database, held, HOUR);
    }

    private static void setBack(TestDatabase database, Held held, long jump) {
        execute(database, held, "expires_at = expires_at + " + jump + ", written_at = written_at + " + jump);
    }

    private static void execute(TestDatabase database, Held held, String change) {
        database.dataSource().execute("UPDATE lock_lease SET " + change + " WHERE lock_key = '" + held.id() + "'");
    }

    private static long column(TestDatabase database, Held held, String expression) {
        return database.dataSource()
                .query("SELECT " + expression + " FROM lock_lease WHERE lock_key = '" + held.id() + "'");
    }
}
