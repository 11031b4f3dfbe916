package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.LockListener;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.spi.LockBackend;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The first lock of a process whose connections take longer to open than the command timeout. */
class JdbcConnectTests {

    private static final LockerSettings SETTINGS =
            LockerSettings.of("slow").withTtl(Duration.ofMillis(1_500)).withCommandTimeout(Duration.ofMillis(500));

    private static final Duration COMMAND = Duration.ofMillis(400);

    private static final long HANDSHAKE_MILLIS = 1_200;

    private final PostgresServer server = PostgresServer.shared();

    private final FaultProxy proxy = new FaultProxy(server.port());

    private final UrlDataSource proxied = new UrlDataSource(server.url(proxy.port()));

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void ofALease() {
        TestDatabase.POSTGRESQL.backend().close();
        JdbcLockOptions options = new JdbcLockOptions().withLockWait(COMMAND).withCommandTimeout(COMMAND);
        proxy.set(FaultMode.STALL);
        assertFirstLock(JdbcLockBackend.withOwnPool(proxied, options, System::nanoTime));
    }

    @Test
    void ofARowLock() {
        RowLockOptions options = new RowLockOptions().withCommandTimeout(COMMAND);
        try (RowLockBackend owner =
                RowLockBackend.withOwnPool(TestDatabase.POSTGRESQL.dataSource(), options, System::nanoTime)) {
            owner.initializeSchema();
        }
        proxy.set(FaultMode.STALL);
        assertFirstLock(RowLockBackend.withOwnPool(proxied, options, System::nanoTime));
    }

    /** The pool itself only says that no connection is available. */
    @Test
    void aServerThatDoesNotAnswerIsNamed() {
        proxy.set(FaultMode.STALL);
        try (HikariDataSource settings = new HikariDataSource()) {
            settings.setJdbcUrl(proxied.url());
            try (LockBackend silent = JdbcLockBackend.withOwnPool(settings, new JdbcLockOptions(), System::nanoTime)) {
                assertThat(silent.connect())
                        .failsWithin(Duration.ofSeconds(40))
                        .withThrowableThat()
                        .withMessageContaining("no connection was opened within")
                        .withMessageContaining(
                                "(jdbc:postgresql://127.0.0.1:" + proxy.port() + "/postgres, user 'postgres')");
            }
        }
    }

    private void assertFirstLock(LockBackend backend) {
        CompletableFuture.delayedExecutor(HANDSHAKE_MILLIS, TimeUnit.MILLISECONDS)
                .execute(proxy::pass);
        try (LockBackend opened = backend;
                LockEngine engine = new LockEngine(new LockListener() {})) {
            long begun = System.nanoTime();
            assertThat(engine.locker(SETTINGS, "jdbc", opened).tryLock("first")).isPresent();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(SETTINGS.commandTimeout());
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }
}
