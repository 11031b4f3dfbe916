package io.leasehold.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The estimates of fencing tokens that are proposed to the nodes. */
class FenceEstimatorTests {

    private static final long EPOCH = 1_700_000_000_000_000L;

    private final FenceEstimator estimator = new FenceEstimator();

    @Test
    void withoutAnAnswerThereIsNoProposal() {
        estimator.observeRoundTrip(1_000_000);
        assertThat(estimator.next(5_000_000)).isZero();
    }

    @Test
    void aProposalFollowsTheFastestClock() {
        estimator.observeClock(0, EPOCH, 0);
        estimator.observeClock(1, EPOCH + 700, 0);
        estimator.observeClock(2, EPOCH - 90_000, 0);
        assertThat(estimator.next(2_000_000)).isEqualTo(EPOCH + 700 + 2_000);
    }

    @Test
    void aProposalIsOneRoundTripAhead() {
        estimator.observeClock(0, EPOCH, 0);
        estimator.observeRoundTrip(400_000);
        assertThat(estimator.next(0)).isEqualTo(EPOCH + 400);
    }

    @Test
    void aClockThatLooksFasterIsBelievedImmediately() {
        estimator.observeClock(0, EPOCH, 0);
        estimator.observeClock(0, EPOCH + 8_000, 0);
        assertThat(estimator.next(0)).isEqualTo(EPOCH + 8_000);
    }

    @Test
    void aClockThatLooksSlowerIsBelievedByAnEighth() {
        estimator.observeClock(0, EPOCH, 0);
        estimator.observeClock(0, EPOCH - 8_000, 0);
        assertThat(estimator.next(0)).isEqualTo(EPOCH - 1_000);
    }

    @Test
    void oneLateAnswerCountsAsTwiceTheUsualRoundTripAtMost() {
        estimator.observeClock(0, EPOCH, 0);
        estimator.observeRoundTrip(800_000);
        estimator.observeRoundTrip(10_000_000_000L);
        assertThat(estimator.next(0)).isEqualTo(EPOCH + 900);
    }
}
