package io.leasehold.etcd;

import static io.leasehold.contract.StoreClient.LONG;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.contract.Waiter;
import io.leasehold.etcd.client.DeletionWatch;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.ReleaseAnswer;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Callers in the queue for etcd's locks, from two processes: their order, and rules.md F59. */
class EtcdQueueTests {

    /** The leases of waiters do not end by themselves within this time. */
    private static final Duration WAITERS_LEASE = Duration.ofSeconds(2);

    private final EtcdAdmin admin = SharedEtcd.admin();

    private final String namespace = "l-" + UUID.randomUUID();

    private final StoreClient one = new StoreClient(newBackend(), namespace);

    private final StoreClient two = new StoreClient(newBackend(), namespace);

    @BeforeEach
    void empty() {
        admin.wipe();
        admin.leases().forEach(admin::revoke);
    }

    @AfterEach
    void close() {
        one.backend().close();
        two.backend().close();
        admin.close();
    }

    @Test
    void firstComeFirstServedBetweenProcesses() {
        Held held = one.grant("a");
        List<Waiter> line = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            line.add((i % 2 == 0 ? one : two).waitFor(held.id()));
        }
        one.release(held);
        long last = held.firstFence();
        for (int i = 0; i < line.size(); i++) {
            StoreClient client = i % 2 == 0 ? one : two;
            awaitTurn(line.get(i));
            for (int behind = i + 1; behind < line.size(); behind++) {
                assertThat(ask(behind % 2 == 0 ? one : two, line.get(behind))).isInstanceOf(Busy.class);
            }
            Granted granted = (Granted) ask(client, line.get(i));
            assertThat(granted.firstFence()).isGreaterThan(last);
            last = granted.firstFence();
            assertThat(client.release(held.id(), line.get(i).token(), Duration.ZERO))
                    .isEqualTo(ReleaseAnswer.RELEASED);
        }
    }

    @Test
    void aCallerThatDoesNotWaitLeavesNoKey() {
        Held held = one.grant("a");
        for (int i = 0; i < 10; i++) {
            assertThat(two.acquire(held.id(), two.token(), Duration.ofHours(1))).isInstanceOf(Busy.class);
        }
        assertThat(admin.keys()).hasSize(1);
        two.backend().close();
        await().atMost(20, SECONDS).until(() -> admin.leases().size() == 1);
    }

    @Test
    void f59AWaiterThatGivesUpLeavesNoKey() {
        Held held = one.grant("a");
        IntStream.range(0, 20).mapToObj(i -> two.waitFor(held.id())).toList().forEach(two::giveUp);
        assertThat(admin.keys()).hasSize(1);
        two.backend().close();
        await().pollInterval(Duration.ofMillis(20))
                .atMost(WAITERS_LEASE)
                .until(() -> admin.leases().size() == 1);
    }

    @Test
    void f59TwentyDeadWaitersBlockTheQueueForTheirShortLeaseOnly() {
        Held held = one.grant("a");
        EtcdLockBackend dying = newBackend();
        StoreClient dead = new StoreClient(dying, namespace);
        for (int i = 0; i < 20; i++) {
            dead.waitFor(held.id());
        }
        dying.close();
        Waiter waiter = two.waitFor(held.id());
        one.release(held);
        await().atMost(20, SECONDS)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> ask(two, waiter) instanceof Granted);
        assertThat(admin.keys()).hasSize(1);
    }

    @Test
    void aRetryKeepsThePlaceInTheQueue() {
        Held held = one.grant("a");
        Waiter first = two.waitFor(held.id());
        Waiter second = one.waitFor(held.id());
        long start = System.nanoTime();
        await().atMost(40, SECONDS).pollInterval(Duration.ofMillis(400)).until(() -> {
            assertThat(ask(two, first)).isInstanceOf(Busy.class);
            assertThat(ask(one, second)).isInstanceOf(Busy.class);
            return System.nanoTime() - start > Duration.ofSeconds(5).toNanos();
        });
        one.release(held);
        assertThat(ask(one, second)).isInstanceOf(Busy.class);
        assertThat(ask(two, first)).isInstanceOf(Granted.class);
    }

    @Test
    void aWaiterWhoseLeaseHasEndedQueuesAgainAtTheEnd() {
        Held held = one.grant("a");
        Waiter sleeper = two.waitFor(held.id());
        admin.revoke(waitingKeys(held).get(0).getLease());
        Waiter other = one.waitFor(held.id());
        Waiter again = two.waitFor(held.id(), sleeper.token());
        one.release(held);
        awaitTurn(other);
        assertThat(ask(two, again)).isInstanceOf(Busy.class);
        assertThat(ask(one, other)).isInstanceOf(Granted.class);
    }

    @Test
    void aGrantAfterWaitingRunsForItsWholeTtl() {
        Held held = one.grant("a");
        Waiter waiter = two.waitFor(held.id());
        one.release(held);
        awaitTurn(waiter);
        assertThat(ask(two, waiter)).isInstanceOf(Granted.class);
        assertThat(one.busy(held.id()).remaining()).isGreaterThan(LONG.minusSeconds(3));
    }

    @Test
    void aWaiterIsWokenWhenTheHoldersLeaseEnds() {
        Held held = one.grant("a");
        Waiter waiter = two.waitFor(held.id());
        admin.revoke(admin.keys().stream()
                .filter(key -> !waitingKeys(held).contains(key))
                .findFirst()
                .orElseThrow()
                .getLease());
        awaitTurn(waiter);
        assertThat(ask(two, waiter)).isInstanceOf(Granted.class);
    }

    @Test
    void f60CompactionWhileWaitingLosesNoWakeup() {
        Held held = one.grant("a");
        Waiter waiter = two.waitFor(held.id());
        admin.compact();
        one.release(held);
        admin.compact();
        awaitTurn(waiter);
        assertThat(ask(two, waiter)).isInstanceOf(Granted.class);
    }

    @Test
    void f60AWatchFromACompactedRevisionEndsSoThatTheWaiterReadsAgain() {
        admin.compact();
        CompletableFuture<?> watch = DeletionWatch.open(admin.channel(), ByteString.copyFromUtf8("leasehold/gone"), 0);
        await().atMost(20, SECONDS).until(watch::isDone);
        assertThat(watch).isCompleted();
    }

    @Test
    void aCancelledWakeupEndsItsWatch() {
        Held held = one.grant("a");
        try (TransactionProxy proxy = new TransactionProxy(SharedEtcd.endpoint());
                EtcdLockBackend backend = newBackend(proxy.endpoint())) {
            StoreClient three = new StoreClient(backend, namespace);
            Waiter waiter = three.waitFor(held.id());
            await().atMost(20, SECONDS).until(() -> proxy.watches() == 1);
            CompletableFuture<?> turn = Objects.requireNonNull(waiter.busy().wakeup());
            turn.cancel(true);
            await().atMost(20, SECONDS).until(() -> proxy.watches() == 0);
            one.release(held);
            assertThat(ask(three, waiter)).isInstanceOf(Granted.class);
        }
    }

    private static EtcdLockBackend newBackend() {
        return newBackend(SharedEtcd.endpoint());
    }

    private static EtcdLockBackend newBackend(URI endpoint) {
        return new EtcdLockBackend(EtcdOptions.of(endpoint), System::nanoTime, InstantSource.system());
    }

    private List<KeyValue> waitingKeys(Held held) {
        return admin.keys().stream()
                .filter(key ->
                        !key.getKey().toStringUtf8().endsWith(held.token().value()))
                .toList();
    }

    private static AcquireAnswer ask(StoreClient client, Waiter waiter) {
        return client.acquire(new AcquireCommand(waiter.id(), waiter.token(), LONG, 1, true));
    }

    private static void awaitTurn(Waiter waiter) {
        CompletableFuture<?> turn = Objects.requireNonNull(waiter.busy().wakeup());
        await().atMost(20, SECONDS).until(turn::isDone);
    }
}
