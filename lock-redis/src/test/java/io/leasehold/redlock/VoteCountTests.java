package io.leasehold.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.QuorumNode.ServerIdentity;
import io.leasehold.spi.QuorumNode.Vote;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The result of the answers of three nodes to one acquisition. */
class VoteCountTests {

    private static final Duration TTL = Duration.ofSeconds(30);

    private final VoteCount votes = new VoteCount(NodeGroups.ofThree());

    @Test
    void aQuorumOfGrantsWins() {
        grant(0, 7);
        assertThat(votes.isWon()).isFalse();
        grant(1, 9);
        assertThat(votes.isWon()).isTrue();
        assertThat(votes.isLost()).isFalse();
    }

    @Test
    void withoutAgreementTheGreatestFencingTokenCounts() {
        grant(0, 7);
        grant(1, 9);
        assertThat(votes.agreesOnFence()).isFalse();
        assertThat(votes.fence()).isEqualTo(9);
    }

    @Test
    void theFencingTokenThatAQuorumKnowsCountsEvenIfAnotherIsGreater() {
        grant(0, 7);
        grant(1, 9);
        grant(2, 7);
        assertThat(votes.agreesOnFence()).isTrue();
        assertThat(votes.fence()).isEqualTo(7);
    }

    @Test
    void aLeaseThatExistedBeforeWaitsForTheTokenThatAQuorumKnows() {
        votes.count(0, vote(0, new Granted(7), true, null), null);
        grant(1, 9);
        assertThat(votes.isWon()).isFalse();
        grant(2, 7);
        assertThat(votes.isWon()).isTrue();
    }

    @Test
    void aNodeThatHasForgottenLeasesHasNoVote() {
        votes.count(0, vote(0, new Granted(7), false, TTL.minusMillis(1)), null);
        votes.count(1, vote(1, new Granted(7), false, TTL), null);
        assertThat(votes.isWon()).isFalse();
        grant(2, 7);
        assertThat(votes.isWon()).isTrue();
    }

    @Test
    void twoNodesThatAreOneServerLoseForGood() {
        grant(0, 7);
        votes.count(1, vote(0, new Granted(7), false, null), null);
        assertThat(votes.isLost()).isTrue();
        votes.close();
        assertThat(votes.busy()).isNull();
        assertThat(votes.failure()).hasMessageContaining("'node-1' is the same server as 'node-0'");
    }

    @Test
    void anotherHolderIsBusyUntilAQuorumMayBeFree() {
        busy(0, Duration.ofSeconds(3));
        busy(1, Duration.ofSeconds(9));
        busy(2, Duration.ofSeconds(6));
        assertThat(votes.isLost()).isTrue();
        assertThat(votes.busy()).isEqualTo(new Busy(Duration.ofSeconds(6)));
    }

    /** The others may have one node each. */
    @Test
    void oneVoteOfThisCallerLeavesOpenWhetherAnotherHasAQuorum() {
        grant(0, 7);
        busy(1, Duration.ofSeconds(9));
        busy(2, Duration.ofSeconds(6));
        assertThat(votes.isLost()).isTrue();
        assertThat(votes.busy()).isEqualTo(Busy.undecided(Duration.ofSeconds(6)));
    }

    @Test
    void aCallerThatNoNodeHasGrantedTheLockYetMayGetAPart() {
        busy(1, Duration.ofSeconds(9));
        assertThat(votes.maySplit()).isTrue();
        busy(2, Duration.ofSeconds(6));
        assertThat(votes.isLost()).isTrue();
        assertThat(votes.maySplit()).isTrue();
        assertThat(votes.busy()).isEqualTo(Busy.undecided(Duration.ofSeconds(6)));
        grant(0, 7);
        assertThat(votes.maySplit()).isFalse();
        assertThat(votes.busy()).isEqualTo(Busy.undecided(Duration.ofSeconds(6)));
    }

    @Test
    void aNodeThatDoesNotAnswerLeavesNothingOpenAfterAll() {
        busy(1, Duration.ofSeconds(9));
        busy(2, Duration.ofSeconds(6));
        votes.close();
        assertThat(votes.busy()).isEqualTo(new Busy(Duration.ofSeconds(6)));
    }

    @Test
    void oneBusyNodeWithoutAQuorumOfAnswersIsAFailure() {
        busy(0, Duration.ofSeconds(3));
        fail(1, Effect.NOT_DONE);
        fail(2, Effect.NOT_DONE);
        assertThat(votes.busy()).isNull();
        assertThat(votes.failure()).hasMessageContaining("granted by 0 of 3 nodes, 2 are needed");
    }

    @Test
    void theEffectIsUnknownAsLongAsOneNodeMayHaveGranted() {
        fail(0, Effect.NOT_DONE);
        fail(1, Effect.UNKNOWN);
        fail(2, Effect.NOT_DONE);
        assertThat(votes.failure().effect()).isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void theEffectIsNothingIfNoNodeGranted() {
        fail(0, Effect.NOT_DONE);
        fail(1, Effect.REFUSED);
        fail(2, Effect.NOT_DONE);
        assertThat(votes.failure().effect()).isEqualTo(Effect.NOT_DONE);
    }

    @Test
    void whenTooFewNodesAreLeftThatMayGrantItIsRefused() {
        fail(0, Effect.NOT_DONE);
        fail(1, Effect.REFUSED);
        fail(2, Effect.REFUSED);
        assertThat(votes.failure().effect()).isEqualTo(Effect.REFUSED);
    }

    @Test
    void nodesThatHaveNotAnsweredByTheEndCountAsUnknown() {
        grant(0, 7);
        fail(1, Effect.NOT_DONE);
        assertThat(votes.isLost()).isFalse();
        votes.close();
        assertThat(votes.isLost()).isTrue();
        assertThat(votes.failure().effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(votes.failure()).hasMessageContaining("'node-2' did not answer in time");
    }

    private void grant(int node, long fence) {
        votes.count(node, vote(node, new Granted(fence), false, null), null);
    }

    private void busy(int node, Duration remaining) {
        votes.count(node, vote(node, new Busy(remaining), false, null), null);
    }

    private void fail(int node, Effect effect) {
        votes.count(node, null, new BackendFailure(effect, "out of order", null));
    }

    private static Vote vote(int server, AcquireAnswer answer, boolean wasThere, @Nullable Duration uptime) {
        return new Vote(answer, wasThere, 0, new ServerIdentity("server-" + server, uptime));
    }
}
