package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.testsupport.QuietLog;
import io.leasehold.testsupport.RecordedLog;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** F25: connections that hang or fail do not prevent the renewal of row locks on other connections. */
class HungRowLocksTests {

    private static final String PING = "SELECT 1";

    private static final String RENEWAL_OF_FENCES = "UPDATE lock_row_fence SET expires_at";

    private final QuietLog quiet = new QuietLog("io.leasehold");

    private final HinderedDataSource database = new HinderedDataSource(TestDatabase.H2.dataSource());

    private final CompletableFuture<Void> healed = new CompletableFuture<>();

    private final String namespace = "t-" + UUID.randomUUID();

    private final RowLockBackend backend =
            RowLockBackend.withOwnPool(database, new RowLockOptions().withMaxLocks(4), System::nanoTime);

    private final StoreClient client = new StoreClient(backend, namespace);

    @AfterEach
    void close() {
        healed.complete(null);
        backend.close();
        quiet.close();
    }

    @Test
    void repeatedRenewalsOfRowsThatHangTakeNoThread() {
        backend.initializeSchema();
        List<RenewCommand> all = Stream.of("a", "b", "c", "d")
                .map(client::grant)
                .map(HungRowLocksTests::renewal)
                .toList();
        database.hinder(PING, 3, connection -> healed.join());
        backend.renew(all.subList(0, 3));
        await().until(() -> database.hindered() == 3);
        await().until(() -> client.renew(all).get(3) == RenewAnswer.RENEWED);
    }

    /** Each of them would otherwise stay locked until its ttl has passed, and the close would wait for that. */
    @Test
    void rowsThatAllHangAreReleased() {
        backend.initializeSchema();
        List<Held> all = Stream.of("a", "b", "c", "d").map(client::grant).toList();
        database.hinder(PING, all.size(), connection -> healed.join());
        backend.renew(all.stream().map(HungRowLocksTests::renewal).toList());
        await().until(() -> database.hindered() == all.size());
        Held first = all.get(0);
        assertThat(backend.release(new ReleaseCommand(first.id(), first.token())))
                .succeedsWithin(StoreClient.LONG.dividedBy(2));
        assertThat(CompletableFuture.runAsync(backend::close, task -> new Thread(task, "close").start()))
                .succeedsWithin(StoreClient.LONG.dividedBy(2));
    }

    @Test
    void aRowIsKeptAfterARenewalThatTakesLong() {
        backend.initializeSchema();
        Held held = client.grant("a");
        database.hinder(PING, 1, connection -> healed.join());
        backend.renew(List.of(renewal(held)));
        await().until(() -> database.hindered() == 1);
        CompletableFuture<ReleaseAnswer> released = release(held, StoreClient.LONG);
        healed.completeOnTimeout(null, 1, TimeUnit.SECONDS).join();
        assertThat(StoreClient.await(released)).isEqualTo(ReleaseAnswer.RELEASED);
        try (RowLockBackend elsewhere = RowLockBackend.withOwnPool(database, new RowLockOptions(), System::nanoTime)) {
            new StoreClient(elsewhere, namespace).busy(held.id());
        }
    }

    /** The time counts from the release, also if it has passed once the row can be kept. */
    @Test
    void aRowIsKeptNoLongerAfterARenewalThatTakesLong() {
        AtomicLong now = new AtomicLong();
        try (RowLockBackend slow = RowLockBackend.withOwnPool(database, new RowLockOptions(), now::get)) {
            slow.initializeSchema();
            Held held = new StoreClient(slow, namespace).grant("a");
            database.hinder(PING, 1, connection -> healed.join());
            slow.renew(List.of(renewal(held)));
            await().until(() -> database.hindered() == 1);
            Duration half = StoreClient.LONG.dividedBy(2);
            CompletableFuture<ReleaseAnswer> released = slow.release(new ReleaseCommand(held.id(), held.token(), half))
                    .toCompletableFuture();
            now.set(half.toNanos());
            healed.complete(null);
            assertThat(StoreClient.await(released)).isEqualTo(ReleaseAnswer.RELEASED);
            client.grantSoon("a");
        }
    }

    @Test
    void aCloseDoesNotWaitForRowsThatHangAndAreToBeKept() {
        backend.initializeSchema();
        List<Held> all = Stream.of("a", "b", "c", "d").map(client::grant).toList();
        database.hinder(PING, all.size(), connection -> healed.join());
        backend.renew(all.stream().map(HungRowLocksTests::renewal).toList());
        await().until(() -> database.hindered() == all.size());
        List<CompletableFuture<ReleaseAnswer>> released =
                all.stream().map(held -> release(held, StoreClient.LONG)).toList();
        assertThat(CompletableFuture.runAsync(backend::close, task -> new Thread(task, "close").start()))
                .succeedsWithin(StoreClient.LONG.dividedBy(2));
        healed.complete(null);
        await().until(() -> released.stream().allMatch(CompletableFuture::isDone));
    }

    @Test
    void anUnexpectedExceptionIsTheAnswerForItsRowOnly() {
        backend.initializeSchema();
        List<RenewCommand> both = Stream.of("a", "b")
                .map(client::grant)
                .map(HungRowLocksTests::renewal)
                .toList();
        database.hinder(PING, 1, connection -> {
            throw new IllegalStateException("a fault of the driver");
        });
        try (RecordedLog log = new RecordedLog(RowLockBackend.class, Level.WARN)) {
            assertThat(client.renew(both)).containsExactlyInAnyOrder(RenewAnswer.RENEWED, RenewAnswer.UNKNOWN);
            await().untilAsserted(() -> assertThat(log.messages())
                    .containsExactly(
                            "No answer to the renewal of 1 of 2 locks: java.lang.IllegalStateException: a fault of"
                                    + " the driver"));
        }
    }

    @Test
    void aRenewalDoesNotWaitForTheFencingTokens() {
        backend.initializeSchema();
        LockerSettings settings = LockerSettings.of(namespace)
                .withWaitTime(Duration.ofSeconds(40))
                .withCommandTimeout(Duration.ofMillis(150));
        try (LockEngine engine = new LockEngine(new LockListener() {})) {
            LeaseLocker locker = engine.locker(settings, "row-lock", backend);
            LockHandle lock = locker.lock("a");
            database.hinder(RENEWAL_OF_FENCES, 1, connection -> healed.join());
            await().ignoreExceptionsInstanceOf(LockBackendException.class).until(() -> {
                lock.renew();
                return database.hindered() == 1;
            });
            await().ignoreExceptionsInstanceOf(LockBackendException.class).until(() -> {
                lock.renew();
                return true;
            });
            healed.complete(null);
            lock.close();
        }
    }

    private CompletableFuture<ReleaseAnswer> release(Held held, Duration retainFor) {
        return backend.release(new ReleaseCommand(held.id(), held.token(), retainFor))
                .toCompletableFuture();
    }

    private static RenewCommand renewal(Held held) {
        return new RenewCommand(held.id(), held.token(), StoreClient.LONG);
    }
}
