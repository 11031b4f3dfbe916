package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Callers do not depend on the driver: statements run on the backend's threads, an interrupt or the command timeout
 * frees the caller, and a lock that is granted afterwards is released.
 */
class BlockedDriverTests {

    private static final Duration FOREVER = Duration.ofSeconds(50);

    private static final JdbcLockOptions OPTIONS =
            new JdbcLockOptions().withCommandTimeout(FOREVER).withLockWait(FOREVER);

    private final String namespace = "threads-" + UUID.randomUUID();

    private final LockEngine engine = new LockEngine(new LockListener() {});

    @AfterEach
    void close() {
        engine.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void theCallersThreadSendsNothing(TestDatabase database) {
        ExecutingThreads dataSource = new ExecutingThreads(database.dataSource());
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(dataSource, OPTIONS, System::nanoTime)) {
            backend.initializeSchema();
            Locker locker = locker(backend, Duration.ofSeconds(16));
            for (int i = 0; i < 20; i++) {
                locker.lock("a").close();
            }
            assertThat(dataSource.threads())
                    .isNotEmpty()
                    .doesNotContain(Thread.currentThread().getName());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void anInterruptedCallerDoesNotWaitForTheDriver(TestDatabase database) throws Exception {
        try (JdbcLockBackend backend = database.backend(OPTIONS);
                Connection other = database.dataSource().getConnection()) {
            Locker locker = locker(backend, Duration.ofSeconds(16));
            locker.lock("a").close();
            block(other);
            CompletableFuture<Boolean> flagKept = new CompletableFuture<>();
            Thread caller = new Thread(() -> {
                try {
                    locker.lock("a");
                    flagKept.completeExceptionally(new AssertionError("locked what another transaction has locked"));
                } catch (LockInterruptedException ex) {
                    flagKept.complete(Thread.currentThread().isInterrupted());
                } catch (Throwable ex) {
                    flagKept.completeExceptionally(ex);
                }
            });
            caller.start();
            await().until(() -> isInDriver());
            caller.interrupt();
            assertThat(flagKept.get(12, TimeUnit.SECONDS)).isTrue();
            other.rollback();
            assertThatItIsFreeSoon(locker);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void theCommandTimeoutFreesTheCaller(TestDatabase database) throws Exception {
        try (JdbcLockBackend backend = database.backend(OPTIONS);
                Connection other = database.dataSource().getConnection()) {
            Locker locker = locker(backend, Duration.ofMillis(400));
            await().atMost(Duration.ofSeconds(30))
                    .ignoreException(LockBackendException.class)
                    .until(() -> locker.lock("a").release());
            block(other);
            long asked = System.nanoTime();
            assertThatThrownBy(() -> locker.tryLock("a", Duration.ZERO)).isInstanceOf(LockBackendException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(30));
            other.rollback();
            assertThatItIsFreeSoon(locker);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void anInterruptedHolderReleases(TestDatabase database) throws InterruptedException, ExecutionException {
        try (JdbcLockBackend backend = database.backend(OPTIONS)) {
            Locker locker = locker(backend, Duration.ofSeconds(16));
            CompletableFuture<Boolean> released = new CompletableFuture<>();
            Thread holder = new Thread(() -> {
                LockHandle lock = locker.lock("a");
                Thread.currentThread().interrupt();
                released.complete(lock.release() && Thread.currentThread().isInterrupted());
            });
            holder.start();
            holder.join();
            assertThat(released.get()).isTrue();
            assertThat(locker.tryLock("a")).isPresent();
        }
    }

    private Locker locker(JdbcLockBackend backend, Duration commandTimeout) {
        LockerSettings settings = LockerSettings.of(namespace)
                .withWaitTime(FOREVER)
                .withTtl(FOREVER)
                .withCommandTimeout(commandTimeout)
                .withMaxLocalHandoffs(16);
        return engine.locker(settings, "jdbc", backend);
    }

    private void block(Connection other) throws SQLException {
        other.setAutoCommit(false);
        try (Statement statement = other.createStatement()) {
            String lock = "UPDATE lock_lease SET fence = fence WHERE lock_key = '" + namespace + ":a'";
            assertThat(statement.executeUpdate(lock)).isEqualTo(1);
        }
    }

    private static void assertThatItIsFreeSoon(Locker locker) {
        await().atMost(Duration.ofSeconds(30))
                .ignoreException(LockBackendException.class)
                .until(() -> locker.tryLock("a").map(LockHandle::release).orElse(false));
    }

    private static boolean isInDriver() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().equals("leasehold-jdbc"))
                .flatMap(thread -> Arrays.stream(thread.getValue()))
                .map(StackTraceElement::getClassName)
                .anyMatch(name -> name.startsWith("org.postgresql.")
                        || name.startsWith("org.mariadb.")
                        || name.startsWith("com.mysql."));
    }
}
