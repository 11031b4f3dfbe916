package io.leasehold.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockRequest;
import io.leasehold.contract.StoreClient;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that ends leaves no waiters in the queue, so the waiters behind them get the lock immediately. */
class EtcdShutdownTests {

    private static final Duration AT_ONCE = Duration.ofMillis(700);

    private final String namespace = "s-" + UUID.randomUUID();

    private final EtcdAdmin admin = SharedEtcd.admin();

    private final EtcdLockBackend backend = newBackend();

    private final EtcdLockBackend ending = newBackend();

    private final StoreClient holder = new StoreClient(backend, namespace);

    @BeforeEach
    void empty() {
        admin.wipe();
    }

    @AfterEach
    void close() {
        ending.close();
        backend.close();
        admin.close();
    }

    @Test
    void anEngineThatShutsDownWithdrawsItsWaiters() {
        LockEngine engine = new LockEngine(new LockListener() {});
        LeaseLocker locker = engine.locker(LockerSettings.of(namespace), "etcd", ending);
        locker.tryLock("warm-up").ifPresent(LockHandle::release);
        List<CompletableFuture<Optional<LockHandle>>> waiters = new ArrayList<>();
        List<String> keys = List.of("a", "b", "c", "d");
        for (String key : keys) {
            holder.grant(key);
            waiters.add(locker.tryLockAsync(LockRequest.of(key).withWaitTime(Duration.ofSeconds(60)))
                    .toCompletableFuture());
        }
        await().until(() -> admin.keys().size() == 2 * keys.size());
        engine.shutdown(Duration.ZERO);
        assertThat(admin.keys()).hasSize(keys.size());
        assertThat(waiters)
                .allSatisfy(waiter -> assertThat(waiter)
                        .failsWithin(10, TimeUnit.SECONDS)
                        .withThrowableThat()
                        .withCauseInstanceOf(LockBackendException.class));
        engine.close();
    }

    @Test
    void aBackendThatIsClosedWithdrawsItsWaitersButNotItsHolders() {
        StoreClient other = new StoreClient(ending, namespace);
        other.grant("held");
        var held = holder.grant("a");
        var first = other.waitFor(held.id());
        var second = holder.waitFor(held.id());
        ending.close();
        assertThat(first.busy().wakeup()).satisfies(turn -> await().until(turn::isDone));
        holder.release(held);
        long releasedAt = System.nanoTime();
        await().pollInterval(Duration.ofMillis(20))
                .until(() -> holder.acquire(new AcquireCommand(second.id(), second.token(), StoreClient.LONG, 1, true))
                        instanceof Granted);
        assertThat(Duration.ofNanos(System.nanoTime() - releasedAt)).isLessThan(AT_ONCE);
        holder.busy(holder.id("held"));
    }

    private static EtcdLockBackend newBackend() {
        return new EtcdLockBackend(EtcdOptions.of(SharedEtcd.endpoint()), System::nanoTime, InstantSource.system());
    }
}
