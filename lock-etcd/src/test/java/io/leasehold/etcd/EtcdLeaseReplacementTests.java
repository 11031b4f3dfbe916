package io.leasehold.etcd;

import static io.leasehold.contract.StoreClient.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.TxnRequest;
import io.leasehold.LockState;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Renewals that attach a key to another lease, whose answers are lost, and which overtake each other. */
class EtcdLeaseReplacementTests {

    private static final Duration HOUR = Duration.ofHours(1);

    private final EtcdAdmin admin = SharedEtcd.admin();

    private final TransactionProxy proxy = new TransactionProxy(SharedEtcd.endpoint());

    private final EtcdLockBackend backend =
            new EtcdLockBackend(EtcdOptions.of(proxy.endpoint()), this::nanoTime, InstantSource.system());

    private volatile boolean clockFails;

    private final StoreClient store = new StoreClient(backend, "r-" + UUID.randomUUID());

    @BeforeEach
    void empty() {
        admin.wipe();
    }

    @AfterEach
    void close() {
        backend.close();
        proxy.close();
        admin.close();
    }

    @Test
    void aRenewalWhoseAnswerWasLostDoesNotLoseTheLock() {
        Held held = store.grant("a");
        long before = onlyKey().getLease();
        proxy.loseAnswer(EtcdLeaseReplacementTests::moves);
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.UNKNOWN);
        assertThat(onlyKey().getLease()).isNotEqualTo(before);
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.RENEWED);
        end(before);
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    @Test
    void aLostAnswerAndTheEndOfTheFormerLeaseDoNotLoseTheLock() {
        Held held = store.grant("a");
        long before = onlyKey().getLease();
        proxy.loseAnswer(EtcdLeaseReplacementTests::moves);
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.UNKNOWN);
        end(before);
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    @Test
    void aLostAnswerDoesNotLoseTheLockIfThereIsNoSpaceForAnotherLease() {
        Held held = store.grant("a");
        proxy.loseAnswer(EtcdLeaseReplacementTests::moves);
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.UNKNOWN);
        for (Duration ttl : List.of(HOUR, LONG, HOUR)) {
            proxy.refuseLease();
            proxy.countRequests();
            assertThat(store.renew(held, ttl)).isEqualTo(RenewAnswer.RENEWED);
            assertThat(proxy.requests())
                    .containsEntry(LeaseGrpc.getLeaseKeepAliveMethod().getFullMethodName(), 1);
        }
        assertThat(store.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(admin.keys()).isEmpty();
    }

    @Test
    void aReplacementThatArrivesLateIsKnownIfThereIsNoSpaceForAnotherLease() {
        Held held = store.grant("a");
        TransactionProxy.Fault late = proxy.hold(EtcdLeaseReplacementTests::moves);
        CompletableFuture<?> abandoned = renew(held, HOUR);
        long lease = targetOf(late.awaitSent());
        abandoned.cancel(true);
        proxy.refuseLease(() -> {
            late.arrive();
            await().until(() -> onlyKey().getLease() == lease);
        });
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.UNKNOWN);
        proxy.refuseLease();
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.RENEWED);
    }

    /** It may still be executed, so that both leases are kept alive. */
    @Test
    void aReplacementThatWasNotExecutedDoesNotLoseTheLockIfThereIsNoSpaceForAnotherLease() {
        Held held = store.grant("a");
        long before = onlyKey().getLease();
        TransactionProxy.Fault late = proxy.hold(EtcdLeaseReplacementTests::moves);
        CompletableFuture<?> abandoned = renew(held, HOUR);
        long lease = targetOf(late.awaitSent());
        abandoned.cancel(true);
        for (int i = 0; i < 2; i++) {
            proxy.refuseLease();
            proxy.countRequests();
            assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
            assertThat(proxy.hasRefusedLease()).isTrue();
            assertThat(proxy.requests())
                    .containsEntry(LeaseGrpc.getLeaseKeepAliveMethod().getFullMethodName(), 2);
        }
        assertThat(onlyKey().getLease()).isEqualTo(before);
        late.arrive();
        assertThat(onlyKey().getLease()).isEqualTo(lease);
        end(before);
        proxy.refuseLease();
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    /** Otherwise a replacement that is executed late could end the lock before the renewed time has passed. */
    @Test
    void aLeaseIsNotReliedOnWhileTheKeyMayStillGetAShorterOne() {
        Held held = store.grant("a");
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.RENEWED);
        await().until(() -> store.busy(held.id()).remaining().compareTo(HOUR.minusSeconds(1)) <= 0);
        TransactionProxy.Fault shorter = proxy.hold(EtcdLeaseReplacementTests::moves);
        CompletableFuture<?> abandoned = renew(held, LONG);
        shorter.awaitSent();
        abandoned.cancel(true);
        proxy.refuseLease();
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.UNKNOWN);
        proxy.refuseLease();
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    @Test
    void aRenewalThatGetsNoLeaseFindsTheRevocation() {
        Held held = store.grant("a");
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.RENEWED);
        try (EtcdLockBackend other =
                new EtcdLockBackend(EtcdOptions.of(SharedEtcd.endpoint()), System::nanoTime, InstantSource.system())) {
            long fencingToken =
                    ((LockState.Held) store.describe(held.id())).fencingToken().orElseThrow();
            proxy.refuseLease(() -> StoreClient.await(other.revoke(held.id(), fencingToken)));
            assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.REVOKED);
            assertThat(proxy.hasRefusedLease()).isTrue();
        }
    }

    @Test
    void aReplacementThatArrivesLateDoesNotShortenALaterRenewal() {
        Held held = store.grant("a");
        TransactionProxy.Fault late = proxy.hold(EtcdLeaseReplacementTests::moves);
        CompletableFuture<?> abandoned = renew(held, LONG.plusSeconds(1));
        long lease = targetOf(late.awaitSent());
        abandoned.cancel(true);
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
        late.arrive();
        assertThat(onlyKey().getLease()).isNotEqualTo(lease);
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    /** The engine gives up on a whole batch. Otherwise one lock whose replacement is slow would lose all of them. */
    @Test
    void aRenewalThatIsGivenUpHasTheAnswersForTheOtherLocks() {
        Held slow = store.grant("a");
        Held other = store.grant("b");
        await().until(() -> {
            TransactionProxy.Fault late = proxy.hold(EtcdLeaseReplacementTests::moves);
            CompletableFuture<List<RenewAnswer>> both = renew(renewal(slow, HOUR), renewal(other, LONG));
            late.awaitSent();
            both.cancel(true);
            assertThat(both).isCompletedWithValueMatching(answers -> answers.get(0) == RenewAnswer.UNKNOWN);
            return both.join().get(1) == RenewAnswer.RENEWED;
        });
    }

    @Test
    void aReplacementThatFailsUnexpectedlyDoesNotPreventTheNextOne() {
        Held held = store.grant("a");
        clockFails = true;
        renew(held, HOUR);
        clockFails = false;
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.RENEWED);
    }

    @Test
    void aRenewalDoesNotRelyOnALeaseThatAnotherOneIsReplacing() {
        Held held = store.grant("a");
        assertThat(store.renew(held, HOUR)).isEqualTo(RenewAnswer.RENEWED);
        TransactionProxy.Fault read = proxy.hold(transaction -> transaction.getCompareCount() == 0);
        CompletableFuture<List<RenewAnswer>> longer = renew(held, HOUR);
        read.awaitSent();
        TransactionProxy.Fault move = proxy.hold(EtcdLeaseReplacementTests::moves);
        CompletableFuture<List<RenewAnswer>> shorter = renew(held, LONG);
        move.awaitSent();
        read.arrive();
        await().during(Duration.ofMillis(300)).until(() -> !longer.isDone());
        move.arrive();
        assertThat(shorter.join()).containsExactly(RenewAnswer.RENEWED);
        assertThat(longer.join()).containsExactly(RenewAnswer.RENEWED);
        assertThat(store.busy(held.id()).remaining()).isGreaterThan(HOUR.minusMinutes(1));
    }

    @Test
    void aRenewalUnderWayDoesNotExtendALeaseThatIsKept() {
        Held held = store.grant("a");
        TransactionProxy.Fault read = proxy.hold(transaction -> transaction.getCompareCount() == 0);
        CompletableFuture<List<RenewAnswer>> renewal = renew(held, HOUR);
        read.awaitSent();
        assertThat(store.release(held, Duration.ofSeconds(10))).isEqualTo(ReleaseAnswer.RELEASED);
        long kept = onlyKey().getLease();
        read.arrive();
        assertThat(renewal.join()).containsExactly(RenewAnswer.NOT_OWNER);
        assertThat(onlyKey().getLease()).isEqualTo(kept);
    }

    private CompletableFuture<List<RenewAnswer>> renew(Held held, Duration ttl) {
        return renew(renewal(held, ttl));
    }

    private CompletableFuture<List<RenewAnswer>> renew(RenewCommand... commands) {
        return backend.renew(List.of(commands)).toCompletableFuture();
    }

    private static RenewCommand renewal(Held held, Duration ttl) {
        return new RenewCommand(held.id(), held.token(), ttl);
    }

    private long nanoTime() {
        if (clockFails) {
            throw new IllegalStateException("the clock fails");
        }
        return System.nanoTime();
    }

    private static boolean moves(TxnRequest transaction) {
        return transaction.getSuccessList().stream()
                .anyMatch(step -> step.getRequestPut().getIgnoreValue());
    }

    private static long targetOf(TxnRequest move) {
        return move.getSuccess(0).getRequestPut().getLease();
    }

    private void end(long lease) {
        if (admin.leases().contains(lease)) {
            admin.revoke(lease);
        }
    }

    private KeyValue onlyKey() {
        assertThat(admin.keys()).hasSize(1);
        return admin.keys().get(0);
    }
}
