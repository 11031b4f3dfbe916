package io.leasehold.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.TxnRequest;
import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that etcd refuses for lack of space. It executes the one that exceeds the space, and refuses it as well. */
class EtcdFullStoreTests {

    private static final Duration TTL = Duration.ofSeconds(2);

    private static final Duration HOUR = Duration.ofHours(1);

    private final EtcdAdmin admin = SharedEtcd.admin();

    private final TransactionProxy proxy = new TransactionProxy(SharedEtcd.endpoint());

    private final EtcdLockBackend backend = backend(EtcdOptions.of(proxy.endpoint()));

    private final EtcdLockBackend other = backend(EtcdOptions.of(SharedEtcd.endpoint()));

    private final String namespace = "f-" + UUID.randomUUID();

    private final StoreClient store = new StoreClient(backend, namespace);

    private final StoreClient holder = new StoreClient(other, namespace);

    @BeforeEach
    void empty() {
        admin.wipe();
    }

    @AfterEach
    void close() {
        backend.close();
        other.close();
        proxy.close();
        admin.close();
    }

    /** Otherwise each acquisition of another lock would keep the lease alive that has the key. */
    @Test
    void anAcquisitionThatWasRefusedAfterItsExecutionKeepsNobodyFromTheLock() {
        proxy.refuse(transaction -> transaction.getCompareCount() == 1, true);
        assertRefused(acquire("a", false));
        await().atMost(20, SECONDS).until(() -> {
            store.release(store.grant(store.id("b"), TTL));
            return holder.acquire(command("a", false)) instanceof Granted;
        });
    }

    @Test
    void aWaiterThatWasRefusedAfterItsExecutionLeavesTheQueue() {
        Held held = holder.grant("a");
        proxy.countRequests();
        proxy.refuse(transaction -> transaction.getSuccessCount() == 4, true);
        assertRefused(acquire("a", true));
        await().atMost(20, SECONDS)
                .until(() -> proxy.requests()
                        .containsKey(LeaseGrpc.getLeaseRevokeMethod().getFullMethodName()));
        await().atMost(20, SECONDS).until(() -> admin.keys().size() == 1);
        holder.release(held);
        holder.grant("a");
    }

    @Test
    void aReplacedLeaseThatWasRefusedAfterItsExecutionIsKeptAlive() {
        Held held = store.grant("a");
        proxy.refuse(EtcdFullStoreTests::moves, true);
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(holder.busy(held.id()).remaining()).isGreaterThan(HOUR.minusMinutes(1));
        proxy.refuseLease();
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(store.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(proxy.hasRefusedLease()).isTrue();
    }

    @Test
    void aLeaseIsKeptAliveIfItsReplacementIsRefused() {
        Held held = store.grant("a");
        proxy.refuse(EtcdFullStoreTests::moves, false);
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.UNKNOWN);
        proxy.refuseLease();
        assertThat(store.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.UNKNOWN);
        assertThat(proxy.hasRefusedLease()).isTrue();
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.RENEWED);
        proxy.refuse(EtcdFullStoreTests::moves, false);
        assertThat(store.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(store.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
    }

    @Test
    void aForcedReleaseThatWasRefusedAfterItsExecutionIsReportedAsDone() {
        Held held = holder.grant("a");
        long fencingToken =
                ((LockState.Held) store.describe(held.id())).fencingToken().orElseThrow();
        proxy.refuse(EtcdFullStoreTests::marks, true);
        assertThat(store.revoke(held.id(), fencingToken)).isEqualTo(Outcome.REVOKED);
        assertThat(holder.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.REVOKED);
    }

    private static boolean moves(TxnRequest transaction) {
        return transaction.getSuccessList().stream()
                .anyMatch(step -> step.getRequestPut().getIgnoreValue());
    }

    private static boolean marks(TxnRequest transaction) {
        return transaction.getSuccessList().stream()
                .anyMatch(step -> step.getRequestPut().getIgnoreLease());
    }

    private CompletableFuture<AcquireAnswer> acquire(String key, boolean queueIfBusy) {
        return backend.acquire(command(key, queueIfBusy)).toCompletableFuture();
    }

    private AcquireCommand command(String key, boolean queueIfBusy) {
        return new AcquireCommand(store.id(key), store.token(), TTL, 1, queueIfBusy);
    }

    private static void assertRefused(CompletableFuture<AcquireAnswer> asked) {
        assertThat(asked)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        BackendFailure.class,
                        failure -> assertThat(failure.effect()).isEqualTo(Effect.REFUSED))
                .withMessageContaining("NOSPACE");
    }

    private static EtcdLockBackend backend(EtcdOptions options) {
        return new EtcdLockBackend(options, System::nanoTime, InstantSource.system());
    }
}
