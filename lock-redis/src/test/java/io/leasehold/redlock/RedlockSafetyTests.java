package io.leasehold.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import io.leasehold.testsupport.RecordedLog;
import io.leasehold.testsupport.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The failure modes of quorum locks (F9, F41 to F46), on nodes in memory and in virtual time. */
class RedlockSafetyTests {

    private static final int ROUNDS = 200;

    private static final Duration TTL = Duration.ofSeconds(30);

    private final Bench bench = new Bench(5);

    private final Bench.Process process = bench.process();

    private final LockId id = LockId.of("redlock", "a");

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void f41AnEvenNumberOfNodesOrLessThanThreeIsRefused(int size) {
        assertThatThrownBy(() -> new Bench(size).process())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(size + " nodes");
    }

    @Test
    void f41TheSameNodeTwiceIsRefused() {
        RedlockNode node = new RedlockNode("n0", process.ways.get(0));
        RedlockNode other = new RedlockNode("n1", process.ways.get(1));
        assertThatThrownBy(() ->
                        new RedlockLockBackend(List.of(node, other, node), RedlockLockOptions.defaults(), bench.timer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'n0' is there twice");
    }

    @Test
    void f41TheQuorumIsThatOfTheConfiguredNodes() {
        for (int down = 2; down < 5; down++) {
            process.ways.get(down).all(Fault.REFUSE);
        }
        BackendFailure failure = failureOf(ask(process, token()));
        assertThat(failure.effect()).isEqualTo(Effect.NOT_DONE);
        assertThat(failure).hasMessageContaining("2 of 5 nodes").hasMessageContaining("'n4' failed: refused");
        bench.timer.pass(Duration.ofSeconds(1));
        assertThat(bench.nodes).allSatisfy(node -> assertThat(node.holder(id)).isNull());
    }

    /** Otherwise the health of the application would be UP although it can lock nothing. */
    @Test
    void f41AnInspectionWithoutAQuorumFails() {
        process.ways.get(3).all(Fault.REFUSE);
        process.ways.get(4).all(Fault.REFUSE);
        assertThat(StoreClient.await(process.backend.inspect()))
                .hasSize(2)
                .allSatisfy(finding -> assertThat(finding.finding()).isEqualTo("does not answer"));
        process.ways.get(2).all(Fault.REFUSE);
        BackendFailure failure = failureOf(process.backend.inspect().toCompletableFuture());
        assertThat(failure)
                .hasMessageContaining("3 of 5 nodes do not answer; a quorum is 3")
                .hasRootCauseMessage("refused");
    }

    @Test
    void f41TwoNodesThatAreOneServerAreFoundAtTheStart() {
        bench.nodes.get(3).becomeTwinOf(bench.nodes.get(1));
        assertThat(StoreClient.await(process.backend.inspect()))
                .singleElement()
                .satisfies(finding -> assertThat(finding.toString()).contains("'n3'", "same server as 'n1'"));
    }

    @Test
    void f41OneServerBehindTwoEndpointsHasOneVote() {
        bench.nodes.get(3).becomeTwinOf(bench.nodes.get(1));
        process.ways.get(0).votes = Fault.LOSE_REQUEST;
        process.ways.get(2).votes = Fault.LOSE_REQUEST;
        BackendFailure failure = failureOf(ask(process, token()));
        assertThat(failure).hasMessageContaining("'n3' is the same server as 'n1'");
    }

    /** A lease whose longest hold time is nearly over is renewed for that rest only. */
    @Test
    void f42ALeaseWithAShortTtlDoesNotShortenTheWaitOfOthers() {
        Bench slow = new Bench(5, null);
        Bench.Process holder = slow.process();
        Held shortLease = holder.client.grant(LockId.of("redlock", "short"), TTL);
        Held longLease = holder.client.grant(id, TTL);
        holder.ways.forEach(way -> way.renewals = Fault.SLOW);
        CompletableFuture<List<RenewAnswer>> renewal = holder.backend
                .renew(List.of(
                        new RenewCommand(shortLease.id(), shortLease.token(), Duration.ofMillis(20)),
                        new RenewCommand(id, longLease.token(), TTL)))
                .toCompletableFuture();
        slow.timer.pass(FaultyNode.SLOW);
        assertThat(renewal).isCompletedWithValue(List.of(RenewAnswer.RENEWED, RenewAnswer.RENEWED));
    }

    @Test
    void f42TwoSilentNodesCostNoTime() {
        process.ways.get(1).all(Fault.LOSE_REQUEST);
        process.ways.get(3).all(Fault.LOSE_REQUEST);
        Token token = token();
        assertThat(ask(process, token)).isDone();
        assertThat(process.backend
                        .renew(List.of(new RenewCommand(id, token, TTL)))
                        .toCompletableFuture())
                .isCompletedWithValue(List.of(RenewAnswer.RENEWED));
        assertThat(process.client.release(id, token, Duration.ZERO)).isEqualTo(ReleaseAnswer.RELEASED);
    }

    @Test
    void f42AGrantThatTookMostOfTheTtlIsTakenBack() {
        Duration ttl = Duration.ofMillis(230);
        for (FaultyNode way : process.ways) {
            way.settlements = Fault.LOSE_REQUEST;
        }
        for (int node : new int[] {1, 3, 4}) {
            process.ways.get(node).settlements = Fault.NONE;
        }
        CompletableFuture<AcquireAnswer> fast = process.backend
                .acquire(new AcquireCommand(id, token(), ttl, 1, false))
                .toCompletableFuture();
        assertThat(((Granted) fast.join()).validity()).isLessThan(ttl);

        LockId other = LockId.of("redlock", "slow");
        Bench.Process slow = bench.process();
        slow.ways.forEach(way -> way.settlements = Fault.LATE);
        CompletableFuture<AcquireAnswer> asked = slow.backend
                .acquire(new AcquireCommand(other, token(), ttl, 1, false))
                .toCompletableFuture();
        bench.timer.pass(Bench.NODE_TIMEOUT);
        assertThat(failureOf(asked).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(bench.nodes)
                .allSatisfy(node -> assertThat(node.holder(other)).isNull());
    }

    @Test
    void aBusyLockIsRefusedSoonAlsoIfANodeIsSilent() {
        Bench three = new Bench(3);
        Bench.Process holder = three.process();
        Bench.Process other = three.process();
        holder.ways.get(2).votes = Fault.LOSE_REQUEST;
        other.ways.get(2).votes = Fault.LOSE_REQUEST;
        holder.client.grant(id, TTL);
        CompletableFuture<AcquireAnswer> asked = other.backend
                .acquire(new AcquireCommand(id, token(), TTL, 1, false))
                .toCompletableFuture();
        three.timer.pass(Bench.NODE_TIMEOUT.dividedBy(10));
        assertThat(asked).isCompletedWithValueMatching(answer -> answer instanceof Busy busy && !busy.undecided());
    }

    @Test
    void f43SplitVotesLeaveNoLocks() {
        Random random = Seeds.random("f43SplitVotesLeaveNoLocks");
        for (int round = 0; round < 1_000; round++) {
            LockId key = LockId.of("redlock", "split-" + round);
            List<Bench.Process> processes = List.of(process, bench.process(), bench.process());
            List<Integer> order = new ArrayList<>(List.of(0, 0, 1, 1, 2));
            Collections.shuffle(order, random);
            List<CompletableFuture<AcquireAnswer>> asked = new ArrayList<>();
            for (int p = 0; p < 3; p++) {
                for (int node = 0; node < 5; node++) {
                    processes.get(p).ways.get(node).votes = order.get(node) == p ? Fault.NONE : Fault.LATE;
                }
                asked.add(processes
                        .get(p)
                        .backend
                        .acquire(new AcquireCommand(key, token(), TTL, 1, false))
                        .toCompletableFuture());
            }
            bench.timer.pass(Duration.ofSeconds(1));
            assertThat(asked).allSatisfy(each -> assertThat(each).isCompletedExceptionally());
            bench.timer.pass(Duration.ofSeconds(1));
            assertThat(bench.nodes)
                    .allSatisfy(node -> assertThat(node.holder(key)).isNull());
            process.ways.forEach(way -> way.all(Fault.NONE));
        }
    }

    @Test
    void f44ANodeRestartedEmptyWhileALockIsHeldDoesNotMakeASecondHolder() {
        Random random = Seeds.random("f44");
        for (int round = 0; round < ROUNDS; round++) {
            LockId key = LockId.of("redlock", "restarted-" + round);
            Bench fresh = new Bench(5);
            Bench.Process holder = fresh.process();
            List<Integer> order = shuffled(random);
            order.subList(3, 5).forEach(node -> holder.ways.get(node).votes = Fault.LOSE_REQUEST);
            Held held = holder.client.grant(key, TTL);
            fresh.nodes.get(order.get(0)).restartEmpty();
            Bench.Process second = fresh.process();
            second.ways.get(order.get(1)).all(Fault.LOSE_REQUEST);
            CompletableFuture<AcquireAnswer> asked = second.backend
                    .acquire(new AcquireCommand(key, token(), TTL, 1, false))
                    .toCompletableFuture();
            fresh.timer.pass(Bench.NODE_TIMEOUT);
            assertThat(asked.isCompletedExceptionally() || asked.join() instanceof Busy)
                    .as("round %s", round)
                    .isTrue();
            assertThat(held.firstFence()).isPositive();
        }
    }

    @Test
    void f44ANodeVotesAgainAfterTheLongestTtl() {
        bench.nodes.get(0).restartEmpty();
        process.ways.get(3).all(Fault.LOSE_REQUEST);
        process.ways.get(4).all(Fault.LOSE_REQUEST);
        CompletableFuture<AcquireAnswer> tooEarly = ask(process, token());
        bench.timer.pass(Bench.NODE_TIMEOUT);
        assertThat(failureOf(tooEarly)).hasMessageContaining("'n0' has no vote");
        bench.timer.pass(Bench.LONGEST_TTL);
        assertThat(ask(process, token())).isCompletedWithValueMatching(Granted.class::isInstance);
    }

    @Test
    void f44ANodeThatPersistsEveryWriteVotesImmediately() {
        List<RedlockNode> nodes = IntStream.range(0, 3)
                .mapToObj(i -> {
                    MemoryNode node = new MemoryNode(bench.timer, Duration.ZERO, true);
                    node.restart();
                    return new RedlockNode("n" + i, node);
                })
                .toList();
        StoreClient client = new StoreClient(
                new RedlockLockBackend(
                        new NodeGroup(nodes, RedlockLockOptions.defaults(), bench.timer, bench.timer, bench.timer)),
                "redlock");
        client.grant("a");
    }

    @Test
    void f44ATtlLongerThanTheLongestIsRefused() {
        CompletableFuture<AcquireAnswer> asked = process.backend
                .acquire(new AcquireCommand(id, token(), Bench.LONGEST_TTL.plusMillis(1), 1, false))
                .toCompletableFuture();
        assertThat(failureOf(asked).effect()).isEqualTo(Effect.REFUSED);
    }

    @Test
    void f45ALeaseIsLostAsSoonAsNoQuorumIsLeft() {
        process.ways.get(3).votes = Fault.REFUSE;
        process.ways.get(4).votes = Fault.REFUSE;
        Held held = process.client.grant(id, TTL);
        bench.nodes.get(0).drop(id);
        process.ways.get(1).renewals = Fault.LOSE_REQUEST;
        assertThat(process.backend
                        .renew(List.of(new RenewCommand(id, held.token(), TTL)))
                        .toCompletableFuture())
                .isCompletedWithValue(List.of(RenewAnswer.NOT_OWNER));
    }

    @Test
    void f45ASilentNodeNeitherConfirmsNorDenies() {
        Held held = process.client.grant(id, TTL);
        for (int node = 0; node < 3; node++) {
            process.ways.get(node).renewals = Fault.LOSE_REQUEST;
        }
        CompletableFuture<List<RenewAnswer>> asked = process.backend
                .renew(List.of(new RenewCommand(id, held.token(), TTL)))
                .toCompletableFuture();
        assertThat(asked).isNotDone();
        bench.timer.pass(Bench.NODE_TIMEOUT);
        assertThat(asked).isCompletedWithValue(List.of(RenewAnswer.UNKNOWN));
    }

    /** The engine does not know the reason of an answer that is not known. */
    @Test
    void f45TheLogNamesWhyARenewalIsNotDecided() {
        Held held = process.client.grant(id, TTL);
        RenewCommand renewal = new RenewCommand(id, held.token(), TTL);
        try (RecordedLog log = new RecordedLog(RedlockRenewal.class)) {
            for (int node = 0; node < 3; node++) {
                process.ways.get(node).renewals = Fault.LOSE_REQUEST;
            }
            CompletableFuture<List<RenewAnswer>> asked =
                    process.backend.renew(List.of(renewal)).toCompletableFuture();
            bench.timer.pass(Bench.NODE_TIMEOUT);
            assertThat(asked).isCompletedWithValue(List.of(RenewAnswer.UNKNOWN));
            for (int node = 0; node < 3; node++) {
                process.ways.get(node).renewals = Fault.REFUSE;
            }
            assertThat(process.backend.renew(List.of(renewal)).toCompletableFuture())
                    .isCompletedWithValue(List.of(RenewAnswer.UNKNOWN));
            assertThat(log.messages()).hasSize(2);
            assertThat(log.messages().get(0))
                    .isEqualTo("No answer to the renewal of 1 of 1 locks: no quorum of the nodes has answered in time");
            assertThat(log.messages().get(1))
                    .startsWith("No answer to the renewal of 1 of 1 locks: node '")
                    .contains(" failed: ");
        }
    }

    /** The engine gives up on a whole batch, which may be earlier than on a node. */
    @Test
    void f45ARenewalThatIsGivenUpHasTheAnswersOfTheQuorum() {
        process.ways.get(3).votes = Fault.REFUSE;
        process.ways.get(4).votes = Fault.REFUSE;
        Held held = process.client.grant(id, TTL);
        process.ways.forEach(way -> way.all(Fault.NONE));
        Held other = process.client.grant(LockId.of("redlock", "other"), TTL);
        process.ways.get(2).renewals = Fault.LOSE_REQUEST;
        CompletableFuture<List<RenewAnswer>> asked = process.backend
                .renew(List.of(
                        new RenewCommand(id, held.token(), TTL), new RenewCommand(other.id(), other.token(), TTL)))
                .toCompletableFuture();
        assertThat(asked).isNotDone();
        asked.cancel(true);
        assertThat(asked).isCompletedWithValue(List.of(RenewAnswer.UNKNOWN, RenewAnswer.RENEWED));
    }

    @Test
    void f45ARenewalThatIsGivenUpBeforeAnyAnswerIsCancelled() {
        Held held = process.client.grant(id, TTL);
        process.ways.forEach(way -> way.renewals = Fault.LOSE_REQUEST);
        CompletableFuture<List<RenewAnswer>> asked = process.backend
                .renew(List.of(new RenewCommand(id, held.token(), TTL)))
                .toCompletableFuture();
        assertThat(asked.cancel(true)).isTrue();
        assertThat(asked).isCancelled();
    }

    @Test
    void f45RecoveredNodesGetTheLeasesThatTheyMissed() {
        process.ways.get(0).all(Fault.REFUSE);
        process.ways.get(1).all(Fault.REFUSE);
        Held held = process.client.grant(id, TTL);
        assertThat(bench.holders(id, held.token())).isEqualTo(3);
        process.ways.forEach(way -> way.all(Fault.NONE));
        assertThat(process.client.renew(held, TTL)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(bench.holders(id, held.token())).isEqualTo(5);
        bench.nodes.get(3).drop(id);
        bench.nodes.get(4).drop(id);
        assertThat(process.client.renew(held, TTL)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(process.client.acquire(id, held.token(), TTL))
                .extracting("firstFence")
                .isEqualTo(held.firstFence());
        process.client.release(held);
        assertThat(bench.holders(id, held.token())).isZero();
        assertThat(process.backend.resources().grantedLeases().size()).isZero();
    }

    @Test
    void f45AReleaseOvertakesATopUp() {
        process.ways.get(0).all(Fault.REFUSE);
        Held held = process.client.grant(id, TTL);
        process.ways.get(0).all(Fault.NONE);
        process.ways.get(0).votes = Fault.LATE;
        assertThat(process.client.renew(held, TTL)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(process.client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        bench.timer.pass(FaultyNode.LATE);
        assertThat(bench.holders(id, held.token())).isZero();
    }

    @Test
    void f46FencesRiseWhicheverTwoNodesAreDown() {
        Random random = Seeds.random("f46");
        long last = 0;
        for (int round = 0; round < 1_000; round++) {
            process.ways.forEach(way -> way.all(Fault.NONE));
            shuffled(random)
                    .subList(0, 2)
                    .forEach(node ->
                            process.ways.get(node).all(random.nextBoolean() ? Fault.REFUSE : Fault.LOSE_REQUEST));
            int fences = 1 + random.nextInt(20);
            Held held = process.client.grant(id, TTL, fences);
            assertThat(held.firstFence()).as("round %s", round).isGreaterThan(last);
            last = held.firstFence() + fences - 1;
            bench.nodes.forEach(node -> node.drop(id));
            process.client.release(held);
        }
    }

    @Test
    void f46AgreeingOnFencesTakesOneRoundTripOnceTheClocksAreKnown() {
        Held earlier = process.client.grant(id, TTL, 5);
        process.client.release(earlier);
        process.ways.forEach(way -> way.settlements = Fault.LOSE_REQUEST);
        for (int i = 0; i < 10; i++) {
            Held held = process.client.grant(id, TTL, 5);
            assertThat(held.firstFence()).isGreaterThanOrEqualTo(earlier.firstFence() + 5);
            process.client.release(held);
            earlier = held;
        }
    }

    @Test
    void f46AFenceThatNoQuorumKnowsIsNotUsed() {
        process.ways.forEach(way -> way.settlements = Fault.LOSE_REQUEST);
        CompletableFuture<AcquireAnswer> asked = ask(process, token());
        assertThat(asked).isNotDone();
        bench.timer.pass(Bench.NODE_TIMEOUT);
        assertThat(failureOf(asked)).hasMessageContaining("did not take its fencing tokens");
        assertThat(bench.nodes).allSatisfy(node -> assertThat(node.holder(id)).isNull());
    }

    @Test
    void f9ALateRollBackOfAnEarlierTryDoesNotEndALaterOne() {
        Random random = Seeds.random("f9");
        for (int round = 0; round < ROUNDS; round++) {
            LockId key = LockId.of("redlock", "late-" + round);
            List<Integer> order = shuffled(random);
            process.ways.forEach(way -> way.all(Fault.NONE));
            order.subList(0, 3).forEach(node -> process.ways.get(node).votes = Fault.LOSE_REPLY);
            order.forEach(node -> process.ways.get(node).releases = Fault.LATE);
            CompletableFuture<AcquireAnswer> first = process.backend
                    .acquire(new AcquireCommand(key, token(), TTL, 1, false))
                    .toCompletableFuture();
            assertThat(failureOf(first).effect()).isEqualTo(Effect.UNKNOWN);
            bench.nodes.forEach(node -> node.drop(key));
            process.ways.forEach(way -> way.votes = Fault.NONE);
            Held second = process.client.grant(key, TTL);
            bench.timer.pass(Duration.ofSeconds(10));
            assertThat(bench.holders(key, second.token())).as("round %s", round).isEqualTo(5);
        }
    }

    @Test
    void aCancelledAcquisitionLeavesNothingBehind() {
        Token token = token();
        process.ways.get(0).votes = Fault.LATE;
        process.ways.get(1).votes = Fault.LATE;
        process.ways.get(2).votes = Fault.LATE;
        CompletableFuture<AcquireAnswer> asked = ask(process, token);
        asked.cancel(true);
        bench.timer.pass(FaultyNode.LATE.plusSeconds(1));
        assertThat(bench.holders(id, token)).isZero();
        bench.timer.pass(Duration.ofSeconds(10));
        assertThat(process.backend.resources().reaper().pending()).isZero();
    }

    @Test
    void contentionLeavesNothingToRemove() {
        Held held = process.client.grant(id, TTL);
        bench.process().client.busy(id);
        Bench.Process other = bench.process();
        other.client.busy(id);
        assertThat(other.backend.resources().reaper().pending()).isZero();
        assertThat(process.client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
    }

    @Test
    void aReleaseThatReachesNoQuorumIsUnknownAndIsRepeated() {
        Held held = process.client.grant(id, TTL);
        for (int node = 0; node < 3; node++) {
            process.ways.get(node).releases = Fault.LOSE_REQUEST;
        }
        CompletableFuture<ReleaseAnswer> asked =
                process.backend.release(new ReleaseCommand(id, held.token())).toCompletableFuture();
        bench.timer.pass(Bench.NODE_TIMEOUT);
        assertThat(asked).isCompletedExceptionally();
        process.ways.forEach(way -> way.all(Fault.NONE));
        bench.timer.pass(Duration.ofSeconds(2));
        assertThat(bench.holders(id, held.token())).isZero();
    }

    /** R32: a renewal gave the lease to the node by a second vote, while the first one was still on its way. */
    @Test
    void aFirstVoteThatArrivesAfterATopUpAndTheReleaseIsRemoved() {
        process.ways.get(4).votes = Fault.LATE_AFTER_RESET;
        Held held = process.client.grant(id, TTL);
        process.ways.get(4).votes = Fault.NONE;
        assertThat(process.client.renew(held, TTL)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(bench.holders(id, held.token())).isEqualTo(5);
        assertThat(process.client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        assertRemoved(held.token());
    }

    /** R32: the lease was granted without the slow nodes, and released before they executed their votes. */
    @ParameterizedTest
    @EnumSource(names = {"LATE", "LATE_AFTER_RESET"})
    void aVoteThatArrivesAfterTheReleaseIsRemoved(Fault fault) {
        process.ways.get(3).votes = fault;
        process.ways.get(4).votes = fault;
        Held held = process.client.grant(id, TTL);
        assertThat(process.client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        assertRemoved(held.token());
    }

    @ParameterizedTest
    @EnumSource(names = {"LATE", "LATE_AFTER_RESET"})
    void aVoteThatArrivesAfterItsTimeoutAndTheReleaseIsRemoved(Fault fault) {
        process.ways.get(3).votes = fault;
        process.ways.get(4).votes = fault;
        Held held = process.client.grant(id, TTL);
        bench.timer.pass(Bench.NODE_TIMEOUT);
        assertThat(process.client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        assertRemoved(held.token());
    }

    @ParameterizedTest
    @EnumSource(names = {"LATE", "LATE_AFTER_RESET"})
    void aVoteThatArrivesAfterARetainingReleaseIsKeptForNoLonger(Fault fault) {
        process.ways.get(3).votes = fault;
        process.ways.get(4).votes = fault;
        Held held = process.client.grant(id, TTL);
        Duration kept = Duration.ofSeconds(3);
        assertThat(process.client.release(held, kept)).isEqualTo(ReleaseAnswer.RELEASED);
        bench.timer.pass(kept.minusMillis(1));
        assertThat(bench.holders(id, held.token())).isGreaterThanOrEqualTo(3);
        assertRemoved(held.token());
    }

    @ParameterizedTest
    @EnumSource(names = {"LATE", "LATE_AFTER_RESET"})
    void aVoteThatArrivesAfterItsLeaseWasLostIsRemoved(Fault fault) {
        process.ways.get(3).votes = fault;
        process.ways.get(4).votes = fault;
        Held held = process.client.grant(id, TTL);
        bench.nodes.forEach(node -> node.drop(id));
        assertThat(process.client.renew(held, TTL)).isEqualTo(RenewAnswer.NOT_OWNER);
        assertRemoved(held.token());
    }

    @ParameterizedTest
    @EnumSource(names = {"LATE", "LATE_AFTER_RESET"})
    void aTopUpThatArrivesAfterTheReleaseIsRemoved(Fault fault) {
        process.ways.get(0).votes = Fault.REFUSE;
        Held held = process.client.grant(id, TTL);
        process.ways.get(0).votes = fault;
        assertThat(process.client.renew(held, TTL)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(process.client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        assertRemoved(held.token());
    }

    @Test
    void aLateGrantWhoseRemovalFailsIsRemovedLater() {
        process.ways.get(0).votes = Fault.REFUSE;
        Held held = process.client.grant(id, TTL);
        process.ways.get(0).votes = Fault.LATE;
        assertThat(process.client.renew(held, TTL)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(process.client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        process.ways.get(0).releases = Fault.REFUSE;
        bench.timer.pass(FaultyNode.LATE);
        assertThat(bench.holders(id, held.token())).isOne();
        process.ways.get(0).releases = Fault.NONE;
        assertRemoved(held.token());
    }

    /** The lease is held, and its nodes keep it, while the votes of other nodes are in doubt. */
    @ParameterizedTest
    @EnumSource(names = {"LATE", "LATE_AFTER_RESET"})
    void nothingIsRemovedWhileTheLeaseIsHeld(Fault fault) {
        process.ways.get(3).votes = fault;
        process.ways.get(4).votes = fault;
        Held held = process.client.grant(id, TTL);
        bench.timer.pass(Duration.ofSeconds(8));
        assertThat(bench.holders(id, held.token())).isEqualTo(5);
        assertThat(process.backend.resources().reaper().pending()).isZero();
    }

    /** The remaining time is for the work of the holder, also on the nodes whose votes were in doubt. */
    @Test
    void nothingIsRemovedWhenTheLeaseIsTakenFromItsHolder() {
        process.ways.get(3).votes = Fault.LOSE_REPLY;
        process.ways.get(4).votes = Fault.LOSE_REPLY;
        Held held = process.client.grant(id, TTL);
        process.ways.forEach(way -> way.revoked = true);
        assertThat(process.client.renew(held, TTL)).isEqualTo(RenewAnswer.REVOKED);
        bench.timer.pass(Duration.ofSeconds(8));
        assertThat(bench.holders(id, held.token())).isEqualTo(5);
    }

    /** R32: the forced release leaves the lease to its holder, whose release still has to reach the votes in doubt. */
    @ParameterizedTest
    @EnumSource(names = {"LATE", "LATE_AFTER_RESET"})
    void aVoteThatArrivesAfterTheReleaseOfARevokedLeaseIsRemoved(Fault fault) {
        process.ways.get(3).votes = fault;
        process.ways.get(4).votes = fault;
        Held held = process.client.grant(id, TTL);
        bench.timer.pass(Bench.NODE_TIMEOUT);
        process.ways.forEach(way -> way.revoked = true);
        assertThat(process.client.renew(held, TTL)).isEqualTo(RenewAnswer.REVOKED);
        assertThat(process.client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        assertRemoved(held.token());
    }

    @ParameterizedTest
    @EnumSource(names = {"LATE", "LATE_AFTER_RESET"})
    void aVoteThatArrivesAfterTheForcedReleaseOfItsLeaseIsRemovedWithTheLease(Fault fault) {
        process.ways.get(3).votes = fault;
        process.ways.get(4).votes = fault;
        Held held = process.client.grant(id, TTL);
        bench.timer.pass(Bench.NODE_TIMEOUT);
        process.ways.forEach(way -> way.revokes = true);
        assertThat(process.backend.revoke(id, held.firstFence()).toCompletableFuture())
                .isCompletedWithValue(Outcome.REVOKED);
        assertThat(process.client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        assertRemoved(held.token());
    }

    /** A renewal that the nodes have executed before the forced release may be answered after it. */
    @Test
    void aRevokedLeaseIsNotRequestedAgainWhileVotesForItAreInDoubt() {
        process.ways.get(4).votes = Fault.LOSE_REPLY;
        Held held = process.client.grant(id, TTL);
        process.ways.get(4).votes = Fault.NONE;
        bench.nodes.get(4).drop(id);
        process.ways.forEach(way -> way.renewals = Fault.SLOW);
        CompletableFuture<List<RenewAnswer>> renewal = process.backend
                .renew(List.of(new RenewCommand(id, held.token(), TTL)))
                .toCompletableFuture();
        process.ways.forEach(way -> way.revokes = true);
        assertThat(process.backend.revoke(id, held.firstFence()).toCompletableFuture())
                .isCompletedWithValue(Outcome.REVOKED);
        bench.timer.pass(FaultyNode.SLOW);
        assertThat(renewal).isCompletedWithValue(List.of(RenewAnswer.RENEWED));
        assertThat(bench.nodes.get(4).holder(id)).isNull();
    }

    @Test
    void aNodeThatCannotBeClosedKeepsNoOtherOneOpen() {
        process.ways.get(1).failsToClose = true;
        assertThatThrownBy(process.backend::close).hasMessage("cannot be closed");
        for (FaultyNode way : process.ways) {
            assertThat(way.serverIdentity().toCompletableFuture()).isCompletedExceptionally();
        }
    }

    private void assertRemoved(Token token) {
        bench.timer.pass(Duration.ofSeconds(3));
        assertThat(bench.holders(id, token)).isZero();
        bench.timer.pass(Duration.ofSeconds(10));
        assertThat(process.backend.resources().reaper().pending()).isZero();
        assertThat(process.backend.resources().grantedLeases().size()).isZero();
    }

    private CompletableFuture<AcquireAnswer> ask(Bench.Process asking, Token token) {
        return asking.backend
                .acquire(new AcquireCommand(id, token, TTL, 1, false))
                .toCompletableFuture();
    }

    private Token token() {
        return process.client.token();
    }

    private static List<Integer> shuffled(Random random) {
        List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3, 4));
        Collections.shuffle(order, random);
        return order;
    }

    private static BackendFailure failureOf(CompletableFuture<?> asked) {
        try {
            asked.getNow(null);
        } catch (CompletionException ex) {
            return (BackendFailure) ex.getCause();
        }
        throw new AssertionError("it did not fail: " + asked);
    }
}
