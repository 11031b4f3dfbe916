package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockRequest;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Callers that wait for many locks, each held by another process, leave the polling to the single poller of their
 * process.
 */
@Tag("slow")
class ManyWaitersTests {

    private static final int WAITERS = 40;

    private static final Duration TIME = Duration.ofSeconds(4);

    private static final Duration LONG = Duration.ofSeconds(60);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void waitersRarelySendRequestsOfTheirOwn(TestDatabase database) throws InterruptedException {
        String namespace = "waiters-" + UUID.randomUUID();
        try (JdbcLockBackend elsewhere = database.backend();
                JdbcLockBackend here = database.backend();
                LockEngine other = new LockEngine(new LockListener() {});
                LockEngine own = new LockEngine(new LockListener() {})) {
            LeaseLocker holder = other.locker(settings(namespace), "jdbc", elsewhere);
            CountingBackend counting = new CountingBackend(here);
            LeaseLocker waiter = own.locker(settings(namespace), "jdbc", counting);
            List<LockHandle> held = keys().map(holder::lock).toList();
            List<CompletableFuture<Optional<LockHandle>>> waiting = keys().map(
                            key -> LockRequest.of(key).withWaitTime(LONG))
                    .map(request -> waiter.tryLockAsync(request).toCompletableFuture())
                    .toList();
            await().atMost(LONG).until(() -> counting.asked.get() >= WAITERS);
            int before = counting.asked.get();

            TimeUnit.NANOSECONDS.sleep(TIME.toNanos());

            // each of them would ask four times a second by itself
            assertThat(counting.asked.get() - before).isLessThan(WAITERS * 3);
            held.forEach(LockHandle::close);
            waiting.forEach(lock -> assertThat(lock).succeedsWithin(LONG));
        }
    }

    private static Stream<String> keys() {
        return IntStream.range(0, WAITERS).mapToObj(i -> "key-" + i);
    }

    private static LockerSettings settings(String namespace) {
        return LockerSettings.of(namespace).withTtl(LONG);
    }

    private static final class CountingBackend extends DelegatingLockBackend {

        private final AtomicInteger asked = new AtomicInteger();

        private CountingBackend(LockBackend backend) {
            super(backend);
        }

        @Override
        public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
            asked.incrementAndGet();
            return super.acquire(command);
        }
    }
}
