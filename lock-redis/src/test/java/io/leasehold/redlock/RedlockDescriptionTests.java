package io.leasehold.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.LockState.Free;
import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.LockState.Unknown;
import io.leasehold.spi.LockId;
import io.leasehold.spi.QuorumNode;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The state of a lock, from the answers of three nodes. */
class RedlockDescriptionTests {

    private final RedlockDescription description = new RedlockDescription(NodeGroups.ofThree());

    @Test
    void theTokenOfAQuorumIsNamed() {
        assertThat(token(held(6), held(6), held(5))).hasValue(6);
        assertThat(token(held(7), held(6), held(6))).hasValue(6);
        assertThat(token(held(6), new Free(), held(6))).hasValue(6);
    }

    @Test
    void aTokenThatNoQuorumHasIsNotNamed() {
        assertThat(token(held(6), held(5), new Free())).isEmpty();
        assertThat(token(held(6), held(5), held(4))).isEmpty();
    }

    /** The third node has not recorded the agreed token yet, and the second one no longer has the lease. */
    @Test
    void aTokenThatAForcedReleaseHasTakenFromAQuorumIsNotNamed() {
        assertThat(token(held(6), held(Kind.REVOKED, 6), held(5))).isEmpty();
    }

    @Test
    void aHolderThatNoQuorumHasLeavesTheLockFree() {
        assertThat(description.stateOf(List.of(held(6), new Free(), new Free())))
                .isInstanceOf(Free.class);
        assertThat(description.stateOf(List.of(held(6), new Free()))).isInstanceOf(Unknown.class);
    }

    /** A node that has lost its data gets the names of the processes again within a minute. */
    @Test
    void aHolderWhoseNameOneNodeDoesNotKnowDoesNotMakeTheLockFree() {
        Held named = (Held) held(6);
        Held unnamed =
                new Held(named.kind(), null, named.since(), named.remaining(), named.fencingToken(), named.waiting());
        assertThat(description.stateOf(List.of(named, unnamed, new Free()))).isInstanceOf(Unknown.class);
    }

    @Test
    void aForcedReleaseThatHasNotReachedAQuorumDoesNotMakeTheLockFree() {
        LockState state = description.stateOf(List.of(held(6), held(Kind.REVOKED, 6), new Free()));
        assertThat(state).isEqualTo(new Unknown("the 3 nodes do not agree on the state of the lease"));
    }

    @Test
    void aNodeThatDoesNotAnswerIsNotWaitedForIfTheOthersAgree() {
        assertThat(described(held(6), held(6), null)).isCompletedWithValue(held(6));
        assertThat(described(new Free(), null, new Free())).isCompletedWithValue(new Free());
        assertThat(revoked(Outcome.REVOKED, Outcome.REVOKED, null)).isCompletedWithValue(Outcome.REVOKED);
        assertThat(revoked(null, Outcome.FREE, Outcome.FREE)).isCompletedWithValue(Outcome.FREE);
    }

    @Test
    void aNodeThatMayDecideIsWaitedFor() {
        assertThat(described(held(6), new Free(), null)).isNotDone();
        assertThat(described(held(6), held(5), null)).isNotDone();
        assertThat(described(held(6), held(Kind.REVOKED, 6), null)).isNotDone();
        assertThat(described(new Unknown("busy"), new Free(), null)).isNotDone();
        assertThat(revoked(Outcome.REVOKED, Outcome.FREE, null)).isNotDone();
        assertThat(revoked(Outcome.REMOVED, Outcome.REMOVED, null)).isNotDone();
        assertThat(revoked(Outcome.REMOVED, Outcome.REMOVED, Outcome.REVOKED)).isCompletedWithValue(Outcome.REVOKED);
    }

    /** As while the holder releases the lock and another caller acquires it. No node is missing. */
    @Test
    void nodesThatDisagreeOnAForcedReleaseAreNotSaidToBeSilent() {
        assertThat(revoked(Outcome.OTHER_HOLDER, Outcome.REVOKED, Outcome.FREE))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageEndingWith(
                        "on 1 of 3 nodes; a quorum is 2, and the other nodes have another holder or none, as"
                                + " while the lock changes hands. Repeat it");
    }

    /** The state according to three nodes. A node whose answer is null does not answer. */
    private static CompletableFuture<LockState> described(@Nullable LockState... answers) {
        return RedlockDescription.of(nodes("describe", Arrays.asList(answers)), LockId.of("deploy", "a"));
    }

    private static CompletableFuture<Outcome> revoked(@Nullable Outcome... answers) {
        NodeGroup nodes = nodes("revoke", Arrays.asList(answers));
        return RedlockRevocation.of(new RedlockResources(nodes), LockId.of("deploy", "a"), 6);
    }

    private static NodeGroup nodes(String operation, List<? extends @Nullable Object> answers) {
        return NodeGroups.of(answers.stream()
                .map(answer -> (QuorumNode) Proxy.newProxyInstance(
                        RedlockDescriptionTests.class.getClassLoader(),
                        new Class<?>[] {QuorumNode.class},
                        (node, method, arguments) -> {
                            assertThat(method.getName()).isEqualTo(operation);
                            return answer == null
                                    ? new CompletableFuture<>()
                                    : CompletableFuture.completedFuture(answer);
                        }))
                .toList());
    }

    private OptionalLong token(LockState... answers) {
        LockState state = description.stateOf(List.of(answers));
        assertThat(state).isInstanceOf(Held.class);
        return ((Held) state).fencingToken();
    }

    private static LockState held(long token) {
        return held(Kind.HOLDER, token);
    }

    private static LockState held(Kind kind, long token) {
        return new Held(
                kind, "orders@host:1", null, Duration.ofSeconds(1), OptionalLong.of(token), OptionalInt.empty());
    }
}
