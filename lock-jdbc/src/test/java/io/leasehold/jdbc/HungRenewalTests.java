package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * F25 and F40: a connection that does not answer a renewal for longer than the lease lasts. The command timeout of the
 * connections is longer as well.
 */
class HungRenewalTests {

    private static final JdbcLockOptions OPTIONS = new JdbcLockOptions().withCommandTimeout(Duration.ofSeconds(50));

    private static final String RENEWAL = "SET expires_at = GREATEST";

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void theRenewalIsRepeatedOnAnotherConnectionWhileTheLeaseLasts(TestDatabase database) {
        HinderedDataSource hanging = new HinderedDataSource(database.dataSource());
        try (JdbcLockBackend backend = backend(hanging)) {
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("a");
            hang(database, hanging);
            assertThat(client.renew(held, Duration.ofSeconds(3))).isEqualTo(RenewAnswer.RENEWED);
            assertThat(hanging.hindered()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void otherRenewalsDoNotWaitForIt(TestDatabase database) {
        HinderedDataSource hanging = new HinderedDataSource(database.dataSource());
        CompletableFuture<Void> go = new CompletableFuture<>();
        try (JdbcLockBackend backend = backend(hanging)) {
            StoreClient client = TestDatabase.client(backend);
            Held first = client.grant("a");
            Held second = client.grant("b");
            hanging.hinder(RENEWAL, 1, connection -> go.join());
            CompletableFuture<List<RenewAnswer>> hung = backend.renew(
                            List.of(new RenewCommand(first.id(), first.token(), StoreClient.LONG)))
                    .toCompletableFuture();
            await().until(() -> hanging.hindered() == 1);
            try {
                assertThat(client.renew(second, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
                assertThat(hung).isNotDone();
            } finally {
                go.complete(null);
            }
            assertThat(StoreClient.await(hung)).containsExactly(RenewAnswer.RENEWED);
        }
    }

    /**
     * A firewall that drops packets leaves each open connection without an answer: that of a caller, that of a renewal,
     * and that of the poll for a waiting caller.
     */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void otherRenewalsDoNotWaitIfTheConnectionsOfCallersAndOfThePollHangToo(TestDatabase database) {
        HinderedDataSource hanging = new HinderedDataSource(database.dataSource());
        CompletableFuture<Void> go = new CompletableFuture<>();
        JdbcLockOptions oneCaller = OPTIONS.withConnections(1).withListenNotify(false);
        try (JdbcLockBackend backend = backend(hanging, oneCaller)) {
            StoreClient client = TestDatabase.client(backend);
            Held first = client.grant("a");
            Held second = client.grant("b");
            client.waitFor(first.id());
            hanging.hinder("lock_lease", 3, connection -> go.join());
            CompletableFuture<?> call = backend.describe(first.id()).toCompletableFuture();
            CompletableFuture<?> hung = backend.renew(
                            List.of(new RenewCommand(first.id(), first.token(), StoreClient.LONG)))
                    .toCompletableFuture();
            await().until(() -> hanging.hindered() == 3);
            try {
                assertThat(client.renew(second, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
                assertThat(call).isNotDone();
                assertThat(hung).isNotDone();
            } finally {
                go.complete(null);
            }
            StoreClient.await(hung);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void theLockIsKept(TestDatabase database) {
        HinderedDataSource hanging = new HinderedDataSource(database.dataSource());
        AtomicInteger renewed = new AtomicInteger();
        LockListener counting = new LockListener() {
            @Override
            public void renewed(LockHandle handle, RenewOutcome outcome) {
                if (outcome == RenewOutcome.SUCCESS) {
                    renewed.incrementAndGet();
                }
            }
        };
        try (JdbcLockBackend backend = backend(hanging);
                LockEngine engine = new LockEngine(counting)) {
            LeaseLocker locker = engine.locker(
                    LockerSettings.of("hung-" + UUID.randomUUID()).withTtl(Duration.ofSeconds(6)), "jdbc", backend);
            LockHandle lock = locker.lock("a");
            hang(database, hanging);
            await().atMost(20, TimeUnit.SECONDS).until(() -> renewed.get() > 0 || !lock.isHeld());
            assertThat(hanging.hindered()).isEqualTo(1);
            assertThat(lock.release()).isTrue();
        }
    }

    /** The next renewal gets no answer; the driver waits for it. */
    private static void hang(TestDatabase database, HinderedDataSource hanging) {
        String sleep = database == TestDatabase.POSTGRESQL ? "SELECT pg_sleep(40)" : "SELECT SLEEP(40)";
        hanging.hinder(RENEWAL, 1, connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sleep);
            }
            throw new SQLException("the database answered after all");
        });
    }

    private static JdbcLockBackend backend(HinderedDataSource database) {
        return backend(database, OPTIONS);
    }

    private static JdbcLockBackend backend(HinderedDataSource database, JdbcLockOptions options) {
        JdbcLockBackend backend = JdbcLockBackend.withOwnPool(database, options, System::nanoTime);
        backend.initializeSchema();
        return backend;
    }
}
