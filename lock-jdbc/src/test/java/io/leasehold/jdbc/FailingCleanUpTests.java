package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Commits and rollbacks that fail or hang. */
class FailingCleanUpTests {

    private static final HinderedDataSource.Hindrance FAILURE = connection -> {
        throw new SQLException("first", "99999");
    };

    private final Endings transactionEnds = new Endings();

    private final HinderedDataSource database = new HinderedDataSource(transactionEnds);

    @Test
    void theFailureOfAnAcquisitionIsNotReplaced() {
        try (RowLockBackend backend = rows(new RowLockOptions())) {
            StoreClient client = TestDatabase.client(backend);
            client.release(client.grant("a"));
            database.hinder("lock_row_fence", 100, FAILURE);
            transactionEnds.action = this::failed;
            CompletableFuture<?> acquired = backend.acquire(
                            new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false))
                    .toCompletableFuture();
            assertFailsWithFirst(acquired);
            database.hinder("", 0, FAILURE);
            transactionEnds.action = () -> {};
            assertThat(client.acquire(new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false)))
                    .isInstanceOf(Granted.class);
        }
    }

    @Test
    void theFailureOfARenewalIsNotReplaced() throws SQLException {
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(database, new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("a");
            database.hinder("FOR UPDATE SKIP LOCKED", 100, FAILURE);
            transactionEnds.action = this::failed;
            try (Connection outside = transactionEnds.target.getConnection();
                    Statement statement = outside.createStatement()) {
                outside.setAutoCommit(false);
                statement.executeQuery("SELECT * FROM lock_lease FOR UPDATE");
                assertFailsWithFirst(backend.renew(List.of(renewal(held))).toCompletableFuture());
            }
            database.hinder("", 0, FAILURE);
            transactionEnds.action = () -> {};
            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
        }
    }

    /** Drivers throw other exceptions when another thread closes their connection. */
    @Test
    void aDriverThatThrowsNoSqlExceptionKeepsNoRow() {
        aFailedEndKeepsNoRow(() -> {
            throw new IllegalStateException("the connection is closed");
        });
    }

    @Test
    void anErrorOfTheJvmKeepsNoRow() {
        aFailedEndKeepsNoRow(() -> {
            throw new InternalError("thrown by the test");
        });
    }

    private void aFailedEndKeepsNoRow(Action failing) {
        try (RowLockBackend backend = rows(new RowLockOptions())) {
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("a");
            AtomicInteger failures = new AtomicInteger();
            transactionEnds.action = () -> {
                failures.incrementAndGet();
                failing.run();
            };
            ReleaseCommand release = new ReleaseCommand(held.id(), held.token());
            CompletableFuture<?> released =
                    backend.release(release).handle((answer, failure) -> answer).toCompletableFuture();
            assertThat(released).succeedsWithin(Duration.ofSeconds(30));
            assertThat(failures).hasPositiveValue();
            transactionEnds.action = () -> {};
            AcquireCommand next = new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false);
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> client.acquire(next) instanceof Granted);
        }
    }

    /** A silent network takes the time of one answer, and not that of one per row. */
    @Test
    void theRowsOfABackendThatIsClosedEndTogether() {
        CountDownLatch ending = new CountDownLatch(3);
        AtomicInteger together = new AtomicInteger();
        RowLockBackend backend = rows(new RowLockOptions().withMaxLocks(3));
        StoreClient client = TestDatabase.client(backend);
        for (String key : List.of("a", "b", "c")) {
            client.grant(key);
        }
        transactionEnds.action = () -> {
            ending.countDown();
            if (await(ending)) {
                together.incrementAndGet();
            }
        };
        backend.close();
        assertThat(together).hasValue(3);
    }

    private static RenewCommand renewal(Held held) {
        return new RenewCommand(held.id(), held.token(), StoreClient.LONG);
    }

    private static void assertFailsWithFirst(CompletableFuture<?> future) {
        assertThat(future)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .havingRootCause()
                .withMessage("first");
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            return false;
        }
    }

    private void failed() throws SQLException {
        throw new SQLException("second", "99999");
    }

    private RowLockBackend rows(RowLockOptions options) {
        RowLockBackend backend = RowLockBackend.withOwnPool(database, options, System::nanoTime);
        backend.initializeSchema();
        return backend;
    }

    private interface Action {

        void run() throws SQLException;
    }

    /** A database whose commits and rollbacks run an action first. */
    private static final class Endings extends PlainDataSource {

        private final UrlDataSource target =
                new UrlDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");

        private volatile Action action = () -> {};

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = target.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("rollback")
                                || method.getName().equals("commit")) {
                            action.run();
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException ex) {
                            throw ex.getCause();
                        }
                    });
        }
    }
}
