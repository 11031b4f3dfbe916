package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.greaterThan;

import io.leasehold.LockBackendException;
import io.leasehold.LockListener;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.spi.LockId;
import io.leasehold.testsupport.QuietLog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A row that a foreign transaction keeps locked takes one connection, however often its lock is asked for. */
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
    void otherKeysAreLockedAsEver(TestDatabase database) throws Exception {
        JdbcLockOptions options = new JdbcLockOptions().withConnections(2).withLockWait(Duration.ofSeconds(3));
        try (JdbcLockBackend backend = database.backend(options);
                Connection other = database.dataSource().getConnection()) {
            LeaseLocker locker = engine.locker(LockerSettings.of(namespace), "jdbc", backend);
            locker.lock("a").release();
            other.setAutoCommit(false);
            try (PreparedStatement lock =
                    other.prepareStatement("SELECT fence FROM lock_lease WHERE key_hash = ? FOR UPDATE")) {
                lock.setBytes(1, RowKey.of(LockId.of(namespace, "a")));
                assertThat(lock.executeQuery().next()).isTrue();
            }
            Thread caller = new Thread(() -> askAgainAndAgain(locker));
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

    private void askAgainAndAgain(LeaseLocker locker) {
        while (!enough.get()) {
            try {
                locker.tryLock("a", Duration.ZERO).ifPresent(held -> held.release());
            } catch (LockBackendException ex) {
                failures.incrementAndGet();
            }
        }
    }
}
