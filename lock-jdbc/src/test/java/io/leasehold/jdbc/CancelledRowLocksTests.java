package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockRequest;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.testsupport.QuietLog;
import io.leasehold.testsupport.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers that give up while their row is being locked leave no row locked. The ttl is too long to be waited for. */
@Tag("slow")
class CancelledRowLocksTests {

    private static final Duration TTL = Duration.ofMinutes(10);

    private static final Duration SOON = Duration.ofSeconds(40);

    private static final int CALLS = 200;

    private final QuietLog quiet = new QuietLog("io.leasehold");

    @AfterEach
    void speak() {
        quiet.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void cancelledDuringTheAcquisition(TestDatabase database) {
        LockerSettings settings =
                LockerSettings.of("cancelled-" + UUID.randomUUID()).withTtl(TTL);
        List<String> keys = IntStream.range(0, 20).mapToObj(i -> "key-" + i).toList();
        try (RowLockBackend own = backend(database);
                RowLockBackend elsewhere = backend(database);
                LockEngine engine = new LockEngine(new LockListener() {});
                LockEngine other = new LockEngine(new LockListener() {})) {
            LeaseLocker locker = engine.locker(settings, "row-lock", own);
            locker.lock("opens a connection").close();
            long longestPause = nanosOfAnAcquisition(locker);
            Random random = Seeds.random("CancelledRowLocksTests");
            int cancelled = 0;
            int granted = 0;
            for (int i = 0; i < CALLS; i++) {
                LockRequest request = LockRequest.of(keys.get(i % keys.size())).withWaitTime(Duration.ZERO);
                CompletableFuture<Optional<LockHandle>> asked =
                        locker.tryLockAsync(request).toCompletableFuture();
                LockSupport.parkNanos((long) (random.nextDouble() * longestPause));
                // cancelled ones delay later ones, so the time that a call may have follows their outcomes
                if (asked.cancel(true)) {
                    cancelled++;
                    longestPause += longestPause / 8;
                } else if (!asked.isCompletedExceptionally()
                        && asked.join().filter(LockHandle::release).isPresent()) {
                    granted++;
                    longestPause -= longestPause / 8;
                }
            }
            assertThat(cancelled).isPositive();
            assertThat(granted).isPositive();
            LeaseLocker next = other.locker(settings, "row-lock", elsewhere);
            keys.forEach(key -> await(key)
                    .atMost(SOON)
                    .ignoreExceptionsInstanceOf(LockBackendException.class)
                    .until(() -> next.tryLock(key).filter(LockHandle::release).isPresent()));
        }
    }

    /** The median of a few. */
    private static long nanosOfAnAcquisition(LeaseLocker locker) {
        return IntStream.range(0, 21)
                .mapToLong(i -> {
                    long start = System.nanoTime();
                    LockHandle lock = locker.tryLockAsync(LockRequest.of("measured"))
                            .toCompletableFuture()
                            .join()
                            .orElseThrow();
                    long nanos = System.nanoTime() - start;
                    lock.close();
                    return nanos;
                })
                .sorted()
                .skip(10)
                .findFirst()
                .orElseThrow();
    }

    private static RowLockBackend backend(TestDatabase database) {
        RowLockBackend backend =
                RowLockBackend.withOwnPool(database.dataSource(), new RowLockOptions(), System::nanoTime);
        backend.initializeSchema();
        return backend;
    }
}
