package io.leasehold.etcd;

import static io.leasehold.contract.StoreClient.LONG;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.contract.Waiter;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.EtcdCluster;
import io.leasehold.servers.etcd.EtcdServer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Locks in a cluster of three that loses members and leaders (rules.md F28 and F60). */
@Tag("slow")
class EtcdClusterFaultTests {

    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(700);

    private final EtcdCluster cluster = EtcdCluster.start(3);

    private final EtcdLockBackend backend =
            new EtcdLockBackend(EtcdOptions.of(cluster.endpoints()), System::nanoTime, InstantSource.system());

    private final StoreClient store = new StoreClient(backend, "q");

    @BeforeEach
    void warmUp() {
        store.release(store.grant("warm-up"));
    }

    @AfterEach
    void close() {
        backend.close();
        cluster.close();
    }

    @Test
    void f60TheMemberInUseIsKilled() {
        Held held = store.grant("a");
        cluster.member().kill();
        awaitRenewed(held);
        awaitGranted("b");
    }

    @Test
    void f60TheMemberInUseIsPaused() {
        Held held = store.grant("a");
        cluster.member().pause();
        try {
            awaitRenewed(held);
            awaitGranted("b");
        } finally {
            cluster.member().resume();
        }
    }

    @Test
    void f28TheLeaderIsPausedWhileLocksAreHeldAndWaitedFor() {
        Held held = store.grant("a");
        Waiter waiter = store.waitFor(held.id());
        EtcdServer leader = cluster.leader();
        leader.pause();
        try {
            awaitRenewed(held);
            awaitGranted("b");
            assertThat(answer(backend.renew(List.of(new RenewCommand(held.id(), held.token(), LONG)))))
                    .isEqualTo(List.of(RenewAnswer.RENEWED));
            long fence = awaitGranted(waiter, held);
            assertThat(fence).isGreaterThan(held.firstFence());
        } finally {
            leader.resume();
        }
    }

    @Test
    void aMemberThatHangsIsAFindingOfTheInspection() {
        EtcdServer leader = cluster.leader();
        EtcdServer other = cluster.members().stream()
                .filter(member -> member != leader && member != cluster.member())
                .findFirst()
                .orElseThrow();
        other.pause();
        try {
            assertThat(backend.inspect())
                    .succeedsWithin(Duration.ofSeconds(40))
                    .asInstanceOf(InstanceOfAssertFactories.list(SafetyFinding.class))
                    .extracting(SafetyFinding::finding)
                    .contains("does not answer: no answer within 2 s");
        } finally {
            other.resume();
        }
    }

    /** A member that is left answers questions about itself. */
    @Test
    void aClusterWithoutAMajorityFailsTheInspection() {
        assertThat(backend.inspect()).succeedsWithin(Duration.ofSeconds(40));
        cluster.members().subList(0, 2).forEach(EtcdServer::kill);
        assertThat(backend.inspect())
                .failsWithin(Duration.ofSeconds(40))
                .withThrowableThat()
                .withCauseInstanceOf(BackendFailure.class);
    }

    @Test
    void f28AChangeOfTheLeaderEndsNoLock() {
        List<Held> held = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            held.add(store.grant("held-" + i));
        }
        for (int round = 0; round < 3; round++) {
            EtcdServer leader = cluster.leader();
            EtcdServer next = cluster.members().stream()
                    .filter(member -> member != leader)
                    .findFirst()
                    .orElseThrow();
            try (EtcdAdmin admin = EtcdCluster.admin(leader)) {
                admin.handOverTo(next);
            }
            held.forEach(this::awaitRenewed);
        }
    }

    @Test
    void f60AMinorityGrantsNothing() {
        Held held = store.grant("a");
        cluster.members().get(1).kill();
        cluster.members().get(2).kill();
        for (int i = 0; i < 5; i++) {
            assertThat(isGranted("a")).isFalse();
            assertThat(isGranted("b")).isFalse();
        }
        awaitNoLeader();
        cluster.members().get(1).restart();
        awaitGranted("c");
        awaitRenewed(held);
    }

    /** Waits until the surviving member reports that it knows no leader. */
    private void awaitNoLeader() {
        EtcdOptions survivor = EtcdOptions.of(cluster.member().endpoint());
        try (EtcdLockBackend cutOff = new EtcdLockBackend(survivor, System::nanoTime, InstantSource.system())) {
            AcquireCommand command = new AcquireCommand(store.id("d"), store.token(), LONG, 1, false);
            await().atMost(15, SECONDS)
                    .untilAsserted(() -> assertThatThrownBy(() -> cutOff.acquire(command)
                                    .toCompletableFuture()
                                    .get(5, SECONDS))
                            .cause()
                            .isInstanceOfSatisfying(
                                    BackendFailure.class,
                                    failure -> assertThat(failure.effect()).isEqualTo(Effect.NOT_DONE))
                            .hasMessageContaining("no leader"));
        }
    }

    private void awaitRenewed(Held held) {
        RenewCommand command = new RenewCommand(held.id(), held.token(), LONG);
        await().atMost(15, SECONDS).until(() -> {
            Object answer = answer(backend.renew(List.of(command)));
            assertThat(answer).isNotEqualTo(List.of(RenewAnswer.NOT_OWNER));
            return List.of(RenewAnswer.RENEWED).equals(answer);
        });
    }

    private void awaitGranted(String key) {
        await().atMost(15, SECONDS).until(() -> isGranted(key));
    }

    private boolean isGranted(String key) {
        AcquireCommand command = new AcquireCommand(store.id(key), store.token(), LONG, 1, false);
        return answer(backend.acquire(command)) instanceof Granted;
    }

    private long awaitGranted(Waiter waiter, Held held) {
        AcquireCommand command = new AcquireCommand(waiter.id(), waiter.token(), LONG, 1, true);
        assertThat(answer(backend.acquire(command)) instanceof Granted).isFalse();
        store.release(held);
        Object answer =
                await().atMost(15, SECONDS).until(() -> answer(backend.acquire(command)), Granted.class::isInstance);
        return ((Granted) answer).firstFence();
    }

    /** Returns the answer within the engine's command timeout, or {@code null}. */
    private static @Nullable Object answer(CompletionStage<?> stage) {
        try {
            return stage.toCompletableFuture().get(COMMAND_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException ex) {
            stage.toCompletableFuture().cancel(true);
            return null;
        } catch (ExecutionException ex) {
            return null;
        } catch (InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }
}
