package io.leasehold.etcd;

import static io.leasehold.contract.StoreClient.LONG;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The leases of held locks and the events that end them (rules.md F27, F57 and F58). */
class EtcdLeaseSafetyTests {

    /** No lease of this ttl ends by itself during a test. */
    private static final Duration HOUR = Duration.ofHours(1);

    private final EtcdAdmin admin = SharedEtcd.admin();

    private final EtcdLockBackend backend =
            new EtcdLockBackend(EtcdOptions.of(SharedEtcd.endpoint()), System::nanoTime, InstantSource.system());

    private final StoreClient store = new StoreClient(backend, "s-" + UUID.randomUUID());

    @BeforeEach
    void empty() {
        admin.wipe();
        admin.leases().forEach(admin::revoke);
    }

    @AfterEach
    void close() {
        backend.close();
        admin.close();
    }

    @Test
    void f27ALeaseRevokedUnderAHolderIsLost() {
        Held held = store.grant("a");
        admin.revoke(admin.keys().get(0).getLease());
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.NOT_OWNER);
        assertThat(store.release(held)).isEqualTo(ReleaseAnswer.NOT_OWNER);
    }

    @Test
    void f27AKeyDeletedFromUnderALivingLeaseIsLost() {
        Held held = store.grant("a");
        KeyValue key = admin.keys().get(0);
        admin.delete(key.getKey());
        assertThat(admin.leases()).contains(key.getLease());
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.NOT_OWNER);
    }

    @Test
    void aRevokedIdleLeaseIsReplacedWithoutAnError() {
        Held earlier = store.grant("a");
        store.release(earlier);
        admin.leases().forEach(admin::revoke);
        Held held = store.grant("a");
        assertThat(held.firstFence()).isGreaterThan(earlier.firstFence());
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    @Test
    void f57NamesThatAreThePathOfAnotherAreIndependent() {
        store.grant("a/b");
        store.grant("a");
        store.grant("a/b/c");
        store.grant("a/");
        assertThat(admin.keys()).hasSize(4);
    }

    @Test
    void f58EachLockHeldHasALeaseOfItsOwn() {
        for (int round = 0; round < 3; round++) {
            List<Held> held = IntStream.range(0, 30)
                    .mapToObj(i -> command("own-" + i, LONG))
                    .map(command -> backend.acquire(command)
                            .thenApply(
                                    answer -> new Held(command.id(), command.token(), ((Granted) answer).firstFence())))
                    .toList()
                    .stream()
                    .map(StoreClient::await)
                    .toList();
            List<KeyValue> keys = admin.keys();
            assertThat(keys)
                    .hasSize(30)
                    .extracting(KeyValue::getLease)
                    .doesNotHaveDuplicates()
                    .doesNotContain(0L);
            held.forEach(store::release);
        }
        await().atMost(20, SECONDS).until(() -> admin.leases().size() == 30);
    }

    @Test
    void aLeaseIsReusedOnlyAfterItsKeyIsDeleted() {
        Set<Long> leases = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            Held held = store.grant("again");
            leases.add(admin.keys().get(0).getLease());
            assertThat(store.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        }
        assertThat(leases).hasSize(1);
    }

    @Test
    void aCancelledAcquisitionLeavesNoLeaseAfterItsReleaseAndClose() {
        List<AcquireCommand> commands =
                IntStream.range(0, 50).mapToObj(i -> command("c-" + i, HOUR)).toList();
        for (AcquireCommand command : commands) {
            CompletableFuture<?> acquisition = backend.acquire(command).toCompletableFuture();
            store.release(store.id("unrelated"), store.token(), Duration.ZERO);
            acquisition.cancel(true);
        }
        // again and again, because a release may overtake its acquisition
        await().atMost(20, SECONDS).until(() -> {
            commands.forEach(command -> store.release(command.id(), command.token(), Duration.ZERO));
            return admin.keys().isEmpty();
        });
        backend.close();
        await().atMost(20, SECONDS).until(() -> admin.leases().isEmpty());
        assertThat(admin.keys()).isEmpty();
    }

    /** The monotonic clock stands still while a machine is suspended; the server's does not. */
    @Test
    void f18ALeaseThatWasIdleWhileTheMachineWasSuspendedIsKeptAliveAgain() {
        Duration ttl = Duration.ofSeconds(5);
        AtomicLong nanoTime = new AtomicLong();
        try (EtcdLockBackend suspended =
                new EtcdLockBackend(EtcdOptions.of(SharedEtcd.endpoint()), nanoTime::get, InstantSource.system())) {
            StoreClient process = new StoreClient(suspended, "s-" + UUID.randomUUID());
            process.release(process.grant(process.id("a"), ttl));
            long lease = admin.leases().get(0);
            await().atMost(20, SECONDS).until(() -> remaining(lease) <= 2);
            Held held = process.grant(process.id("a"), ttl);
            assertThat(remaining(admin.keys().get(0).getLease())).isGreaterThanOrEqualTo(ttl.toSeconds() - 1);
            assertThat(process.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        }
    }

    @Test
    void theNumberOfIdleLeasesIsLimited() {
        List<Held> held = IntStream.range(0, LeasePool.MAX_IDLE + 20)
                .mapToObj(i -> store.grant("idle-" + i))
                .toList();
        held.forEach(store::release);
        await().atMost(20, SECONDS).until(() -> admin.leases().size() == LeasePool.MAX_IDLE);
    }

    @Test
    void noLeaseIsLeftAfterReleasesAndClose() {
        for (int i = 0; i < 10; i++) {
            store.release(store.grant(store.id("x-" + i), HOUR));
        }
        backend.close();
        assertThat(admin.keys()).isEmpty();
        await().atMost(20, SECONDS).until(() -> admin.leases().isEmpty());
    }

    @Test
    void aLeaseKeptAfterItsReleaseIsNotUsedAgain() {
        Held held = store.grant("kept");
        store.release(held, Duration.ofSeconds(20));
        long lease = admin.keys().get(0).getLease();
        store.grant("other");
        assertThat(admin.keys().stream().filter(key -> key.getLease() == lease)).hasSize(1);
        store.busy(held.id());
    }

    @Test
    void moreFencesThanARevisionHasRoomForAreRefused() {
        LockId id = store.id("a");
        assertRefused(
                backend.acquire(new AcquireCommand(id, store.token(), LONG, 65_537, false)),
                "'fencingTokens'",
                "65537");
    }

    private long remaining(long lease) {
        return LeaseGrpc.newBlockingStub(admin.channel())
                .leaseTimeToLive(
                        LeaseTimeToLiveRequest.newBuilder().setID(lease).build())
                .getTTL();
    }

    private AcquireCommand command(String key, Duration ttl) {
        return new AcquireCommand(store.id(key), store.token(), ttl, 1, false);
    }

    private static void assertRefused(CompletionStage<?> stage, String... words) {
        assertThatThrownBy(() -> stage.toCompletableFuture().get(10, SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        BackendFailure.class,
                        failure -> assertThat(failure.effect()).isEqualTo(Effect.REFUSED))
                .hasMessageContainingAll(words);
    }
}
