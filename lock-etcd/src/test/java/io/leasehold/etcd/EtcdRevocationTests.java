package io.leasehold.etcd;

import static io.leasehold.contract.StoreClient.LONG;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.LockState.Kind;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.contract.Waiter;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.LockId;
import io.leasehold.spi.RenewAnswer;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The leases of a revoked lock in etcd. */
class EtcdRevocationTests {

    private final EtcdAdmin admin = SharedEtcd.admin();

    private final String namespace = "l-" + UUID.randomUUID();

    private final StoreClient holder = new StoreClient(newBackend(), namespace);

    private final StoreClient operator = new StoreClient(newBackend(), namespace);

    @BeforeEach
    void empty() {
        admin.wipe();
    }

    @AfterEach
    void close() {
        holder.backend().close();
        operator.backend().close();
        admin.close();
    }

    @Test
    void theHolderKeepsAliveALeaseThatNoLongerHasTheKey() {
        Held held = holder.grant("a");
        KeyValue before = onlyKey();
        assertThat(operator.revoke(held.id(), name(held.id()))).isEqualTo(Outcome.REVOKED);
        KeyValue after = onlyKey();
        assertThat(after.getLease()).isNotEqualTo(before.getLease());
        assertThat(after.getCreateRevision()).isEqualTo(before.getCreateRevision());
        assertThat(holder.renew(held, LONG)).isEqualTo(RenewAnswer.REVOKED);
        assertThat(onlyKey()).isEqualTo(after);
    }

    @Test
    void theLockStaysTakenIfTheHoldersLeaseEnds() {
        Held held = holder.grant("a");
        long lease = onlyKey().getLease();
        operator.revoke(held.id(), name(held.id()));
        admin.revoke(lease);
        await().atMost(40, SECONDS).until(() -> !admin.leases().contains(lease));
        operator.busy(held.id());
        assertThat(holder.renew(held, LONG)).isIn(RenewAnswer.NOT_OWNER, RenewAnswer.REVOKED);
    }

    @Test
    void aRenewalByAnotherBackendFindsTheRevocation() {
        Held held = holder.grant("a");
        operator.revoke(held.id(), name(held.id()));
        KeyValue revoked = onlyKey();
        assertThat(operator.renew(held, LONG.multipliedBy(2))).isEqualTo(RenewAnswer.REVOKED);
        assertThat(onlyKey()).isEqualTo(revoked);
    }

    @Test
    void aWaiterWhoseTurnWasRevokedDoesNotGetTheLock() {
        Held held = holder.grant("a");
        Waiter waiter = holder.waitFor(held.id());
        holder.release(held);
        assertThat(operator.revoke(held.id(), name(held.id()))).isEqualTo(Outcome.REVOKED);
        assertThat(holder.acquire(held.id(), waiter.token(), LONG)).isInstanceOf(Busy.class);
        awaitFree(held.id());
        operator.grant(held.id(), LONG);
    }

    @Test
    void aRevokedLockKeepsTheNameOfItsHolder() {
        Held held = holder.grant("a");
        LockState.Held before = (LockState.Held) operator.describe(held.id());
        operator.revoke(held.id(), name(held.id()));
        LockState.Held after = (LockState.Held) operator.describe(held.id());
        assertThat(after.kind()).isEqualTo(Kind.REVOKED);
        assertThat(after.holder()).isEqualTo(before.holder());
        assertThat(after.since()).isEqualTo(before.since());
    }

    /** As after a migration with {@code etcdctl make-mirror}, which copies keys and no leases. */
    @Test
    void aKeyWithoutALeaseNeverExpiresAndCanBeTakenFromItsHolder() {
        Held held = holder.grant("a");
        putWithoutLease(onlyKey());
        LockState.Held state = (LockState.Held) operator.describe(held.id());
        assertThat(state.remaining()).isNull();
        assertThat(state)
                .asString()
                .endsWith(
                        "it stays taken until a forced release ends it, or until its entry is removed from the store");
        assertThat(operator.list(10).locks())
                .singleElement()
                .satisfies(lock -> assertThat(lock.state()).isEqualTo(state));
        assertThat(operator.revoke(held.id(), name(held.id()))).isEqualTo(Outcome.REVOKED);
        assertExpiresAfterEachHolder(held.id());
    }

    @Test
    void aKeyWithoutALeaseThatGotNoneIsTakenFromItsHolderByTheNextForcedRelease() {
        Held held = holder.grant("a");
        putWithoutLease(onlyKey());
        try (TransactionProxy full = new TransactionProxy(SharedEtcd.endpoint());
                EtcdLockBackend backend = newBackend(full.endpoint())) {
            full.refuseLease();
            assertThat(StoreClient.await(backend.revoke(held.id(), name(held.id()))))
                    .isEqualTo(Outcome.REVOKED);
            assertThat(full.hasRefusedLease()).isTrue();
        }
        assertThat(onlyKey().getLease()).isZero();
        assertThat(operator.revoke(held.id(), name(held.id()))).isEqualTo(Outcome.REVOKED);
        assertExpiresAfterEachHolder(held.id());
    }

    /** The ttl of its holder is not known. */
    private void assertExpiresAfterEachHolder(LockId id) {
        LockState.Held state = (LockState.Held) operator.describe(id);
        assertThat(state.kind()).isEqualTo(LockState.Kind.REVOKED);
        assertThat(state.remaining()).isBetween(Duration.ofMinutes(3), Duration.ofMinutes(5));
    }

    private void awaitFree(LockId id) {
        await().atMost(40, SECONDS)
                .untilAsserted(() -> assertThat(operator.describe(id)).isInstanceOf(LockState.Free.class));
    }

    private void putWithoutLease(KeyValue key) {
        KVGrpc.newBlockingStub(admin.channel())
                .put(PutRequest.newBuilder()
                        .setKey(key.getKey())
                        .setValue(key.getValue())
                        .build());
    }

    private KeyValue onlyKey() {
        assertThat(admin.keys()).hasSize(1);
        return admin.keys().get(0);
    }

    private long name(LockId id) {
        return ((LockState.Held) operator.describe(id)).fencingToken().orElseThrow();
    }

    private static EtcdLockBackend newBackend() {
        return newBackend(SharedEtcd.endpoint());
    }

    private static EtcdLockBackend newBackend(URI endpoint) {
        return new EtcdLockBackend(EtcdOptions.of(endpoint), System::nanoTime, InstantSource.system());
    }
}
