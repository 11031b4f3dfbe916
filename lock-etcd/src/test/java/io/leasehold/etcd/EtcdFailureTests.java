package io.leasehold.etcd;

import static io.leasehold.contract.StoreClient.LONG;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.FreePort;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.EtcdCluster;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The failures of the backend, each provoked on a server of the test's own or on the way to it. */
@Tag("slow")
class EtcdFailureTests {

    private final EtcdCluster cluster = EtcdCluster.start(1, "--quota-backend-bytes=2000000");

    private final FaultProxy proxy = new FaultProxy(cluster.member().port());

    private final EtcdLockBackend backend = backend(proxy.port());

    private final StoreClient store = new StoreClient(backend, "f");

    @BeforeEach
    void warmUp() {
        store.release(store.grant("warm-up"));
    }

    @AfterEach
    void close() {
        proxy.pass();
        backend.close();
        proxy.close();
        cluster.close();
    }

    @Test
    void noServerListens() {
        try (EtcdLockBackend nowhere = backend(FreePort.find())) {
            StoreClient client = new StoreClient(nowhere, "f");
            assertThat(failure(nowhere.acquire(command(client, "a"))).effect()).isEqualTo(Effect.NOT_DONE);
            assertThat(failure(nowhere.inspect()).effect()).isEqualTo(Effect.NOT_DONE);
        }
    }

    @Test
    void aRestartedServerIsFoundAgainImmediately() {
        Held held = store.grant("a");
        cluster.member().kill();
        assertThat(failure(backend.acquire(command(store, "b")))).isNotNull();
        cluster.member().restart();
        await().atMost(3, SECONDS).until(() -> answer(backend.acquire(command(store, "b"))) instanceof Granted);
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    @Test
    void aLostAnswerMeansThatTheRequestMayHaveBeenExecuted() {
        proxy.loseNextReply();
        AcquireCommand command = command(store, "a");
        assertThat(failure(backend.acquire(command)).effect()).isEqualTo(Effect.UNKNOWN);
        await().atMost(20, SECONDS).untilAsserted(() -> {
            store.release(command.id(), command.token(), Duration.ZERO);
            assertThat(store.acquire(command(store, "a"))).isInstanceOf(Granted.class);
        });
    }

    @Test
    void aCutConnectionMeansThatTheRequestMayHaveBeenExecuted() {
        proxy.set(FaultMode.STALL);
        CompletableFuture<AcquireAnswer> acquisition =
                backend.acquire(command(store, "a")).toCompletableFuture();
        await().atMost(20, SECONDS).until(() -> proxy.held() > 0);
        proxy.set(FaultMode.REFUSE);
        assertThat(failure(acquisition).effect()).isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void renewalsWithoutAnAnswerAreUnknown() {
        Held held = store.grant("a");
        proxy.set(FaultMode.REFUSE);
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.UNKNOWN);
        proxy.pass();
        await().atMost(20, SECONDS).until(() -> store.renew(held, LONG) == RenewAnswer.RENEWED);
    }

    @Test
    void aReleaseThatWasCutCanBeRepeated() {
        Held held = store.grant("a");
        proxy.set(FaultMode.REFUSE);
        assertThat(failure(backend.release(new ReleaseCommand(held.id(), held.token()))))
                .isNotNull();
        proxy.pass();
        // an attempt may fail with the refusal of the connection before
        await().atMost(20, SECONDS).untilAsserted(() -> {
            store.release(held);
            assertThat(store.acquire(command(store, "a"))).isInstanceOf(Granted.class);
        });
    }

    @Test
    void aCancelledStalledRequestLeavesNoKey() {
        proxy.set(FaultMode.STALL);
        AcquireCommand command = command(store, "a");
        CompletableFuture<AcquireAnswer> acquisition = backend.acquire(command).toCompletableFuture();
        await().atMost(20, SECONDS).until(() -> proxy.held() > 0);
        acquisition.cancel(true);
        proxy.pass();
        await().atMost(20, SECONDS).untilAsserted(() -> {
            store.release(command.id(), command.token(), Duration.ZERO);
            try (EtcdAdmin admin = cluster.admin()) {
                assertThat(admin.keys()).isEmpty();
            }
        });
    }

    @Test
    void cancellingLeavesASilentServerAndItsConnectionIsReplaced() {
        Held held = store.grant("a");
        proxy.set(FaultMode.STALL);
        int before = proxy.accepted();
        CompletionStage<List<RenewAnswer>> renewal =
                backend.renew(List.of(new RenewCommand(held.id(), held.token(), LONG)));
        assertThat(isAnswered(renewal)).isFalse();
        renewal.toCompletableFuture().cancel(true);
        proxy.pass();
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(proxy.accepted()).isGreaterThan(before);
    }

    @Test
    void callsThatFailTogetherOpenOneConnection() {
        Held held = store.grant("a");
        int before = proxy.accepted();
        proxy.set(FaultMode.STALL);
        List<CompletableFuture<AcquireAnswer>> stalled = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            stalled.add(backend.acquire(command(store, "stalled-" + i)).toCompletableFuture());
        }
        await().pollDelay(Duration.ofMillis(500)).until(() -> true);
        for (CompletableFuture<AcquireAnswer> call : stalled) {
            call.cancel(true);
            await().pollInterval(Duration.ofMillis(50)).atMost(20, SECONDS).until(() -> {
                backend.renew(List.of(new RenewCommand(held.id(), held.token(), LONG)));
                return proxy.accepted() > before;
            });
        }
        assertThat(proxy.accepted()).isLessThan(before + 3);
        proxy.pass();
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    @Test
    void aLeaseThatMayHaveAKeyIsRevokedAsSoonAsTheNetworkWorks() {
        proxy.set(FaultMode.STALL_REPLIES);
        CompletableFuture<AcquireAnswer> acquisition =
                backend.acquire(command(store, "a")).toCompletableFuture();
        try (EtcdAdmin admin = cluster.admin()) {
            await().atMost(20, SECONDS).until(() -> admin.keys().size() == 1);
            proxy.set(FaultMode.REFUSE);
            assertThat(failure(acquisition).effect()).isEqualTo(Effect.UNKNOWN);
            await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
            proxy.pass();
            await().atMost(20, SECONDS).until(() -> admin.keys().isEmpty());
        }
    }

    /** Without a key, it would stay for its ttl: one for each attempt, while the cluster is slow. */
    @Test
    void aLeaseWhoseGrantWasNotAnsweredIsRevoked() {
        AcquireCommand command = new AcquireCommand(store.id("a"), store.token(), LONG.multipliedBy(2), 1, false);
        try (EtcdAdmin admin = cluster.admin()) {
            List<Long> before = admin.leases();
            proxy.set(FaultMode.STALL_REPLIES);
            CompletableFuture<AcquireAnswer> acquisition =
                    backend.acquire(command).toCompletableFuture();
            await().atMost(20, SECONDS).until(() -> admin.leases().size() > before.size());
            proxy.set(FaultMode.REFUSE);
            assertThat(failure(acquisition).effect()).isEqualTo(Effect.UNKNOWN);
            proxy.pass();
            await().atMost(20, SECONDS)
                    .untilAsserted(() -> assertThat(admin.leases()).containsExactlyInAnyOrderElementsOf(before));
        }
    }

    @Test
    void aFullStoreRefusesAndIsFoundByTheInspection() {
        Held held = store.grant("held");
        try (EtcdAdmin admin = cluster.admin()) {
            fill(admin);
        }
        BackendFailure failure = failure(backend.acquire(command(store, "a")));
        assertThat(failure.effect()).isEqualTo(Effect.REFUSED);
        assertThat(failure).hasMessageContaining("NOSPACE");
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(store.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(StoreClient.await(backend.inspect()))
                .extracting(SafetyFinding::toString)
                .anySatisfy(finding -> assertThat(finding).contains("NOSPACE", "disarm"));
    }

    /** A full store grants no lease, and keeps the present ones alive. */
    @Test
    void aRenewalForAnotherTimeSpoilsNoLaterOneWhileTheStoreIsFull() {
        Held held = store.grant("held");
        Held prolonged = store.grant("prolonged");
        Duration longer = LONG.multipliedBy(2);
        assertThat(store.renew(prolonged, longer)).isEqualTo(RenewAnswer.RENEWED);
        try (EtcdAdmin admin = cluster.admin()) {
            fill(admin);
        }
        assertThat(store.renew(held, longer)).isEqualTo(RenewAnswer.UNKNOWN);
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(store.renew(prolonged, LONG)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(store.release(prolonged)).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(store.renew(prolonged, LONG)).isEqualTo(RenewAnswer.NOT_OWNER);
    }

    /**
     * Writes until etcd refuses. etcd counts the bytes that it has written to disk, up to 100 ms later than it answers.
     */
    private static void fill(EtcdAdmin admin) {
        KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(admin.channel());
        PutRequest large = PutRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8("large"))
                .setValue(ByteString.copyFrom(new byte[500_000]))
                .build();
        await().pollInterval(Duration.ofMillis(10)).atMost(60, SECONDS).until(() -> isRefused(kv, large));
    }

    private static boolean isRefused(KVGrpc.KVBlockingStub kv, PutRequest request) {
        try {
            kv.put(request);
            return false;
        } catch (StatusRuntimeException ex) {
            if (ex.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED) {
                return true;
            }
            throw ex;
        }
    }

    private static EtcdLockBackend backend(int port) {
        return new EtcdLockBackend(
                EtcdOptions.of(URI.create("http://127.0.0.1:" + port)), System::nanoTime, InstantSource.system());
    }

    private static AcquireCommand command(StoreClient client, String key) {
        return new AcquireCommand(client.id(key), client.token(), LONG, 1, false);
    }

    private static boolean isAnswered(CompletionStage<?> stage) {
        try {
            stage.toCompletableFuture().get(400, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException ex) {
            return false;
        } catch (ExecutionException | InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }

    private static @Nullable Object answer(CompletionStage<?> stage) {
        try {
            return stage.toCompletableFuture().get(10, SECONDS);
        } catch (ExecutionException ex) {
            return null;
        } catch (InterruptedException | TimeoutException ex) {
            throw new AssertionError(ex);
        }
    }

    private static BackendFailure failure(CompletionStage<?> stage) {
        try {
            throw new AssertionError("answered: " + stage.toCompletableFuture().get(10, SECONDS));
        } catch (ExecutionException ex) {
            assertThat(ex.getCause()).isInstanceOf(BackendFailure.class);
            return (BackendFailure) ex.getCause();
        } catch (InterruptedException | TimeoutException ex) {
            throw new AssertionError(ex);
        }
    }
}
