package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.support.LeaseValidity;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The times at which a lease is renewed, retried and reported as at risk. */
class RenewalScheduleTests {

    private static final long SENT = 5_000_000_000L;

    private static final long WALL = 1_700_000_000_000L;

    private static final long TTL = Duration.ofSeconds(30).toNanos();

    private static final LeaseValidity CONFIRMED = LeaseValidity.of(SENT, WALL, Duration.ofNanos(TTL));

    @Test
    void aRenewalIsDueWhenTwoThirdsOfTheTtlAreLeft() {
        assertThat(CONFIRMED.validUntil() - RenewalSchedule.dueAfter(CONFIRMED, TTL))
                .isEqualTo(seconds(20));
    }

    @Test
    void aLeaseIsAtRiskTwoThirdsOfTheTtlAfterItsConfirmationWasSent() {
        assertThat(RenewalSchedule.riskAfter(CONFIRMED, TTL) - SENT).isEqualTo(seconds(20));
    }

    @Test
    void aFirstRenewalMayBeATenthOfTheTtlEarly() {
        assertThat(RenewalSchedule.earliness(CONFIRMED, TTL, SENT, false)).isEqualTo(seconds(3));
    }

    @Test
    void aRetryMayBeEarlyByAQuarterOfItsLongestDelay() {
        assertThat(RenewalSchedule.earliness(CONFIRMED, TTL, SENT, true)).isEqualTo(TTL / 12 / 4);
    }

    @Test
    void aRetryWaitsForHalfToAWholeTwelfthOfTheTtl() {
        assertThat(retryDelay(SENT, 0)).isEqualTo(TTL / 12 / 2);
        assertThat(retryDelay(SENT, 1)).isEqualTo(TTL / 12);
    }

    @Test
    void retriesComeMoreOftenTowardsTheEndOfValidity() {
        long secondLeft = CONFIRMED.validUntil() - seconds(1);
        assertThat(retryDelay(secondLeft, 1)).isEqualTo(seconds(1) / 4);
    }

    @Test
    void retriesAreAtLeastTenMillisecondsApart() {
        assertThat(retryDelay(CONFIRMED.validUntil(), 1)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(10));
        assertThat(retryDelay(CONFIRMED.validUntil() + seconds(5), 1)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(10));
    }

    @ParameterizedTest
    @CsvSource({"30, 1000", "20, 1000", "10, 500", "1, 50"})
    void theWatchdogRestsForATwentiethOfTheTtlAndASecondAtMost(long ttlSeconds, long millis) {
        assertThat(RenewalSchedule.pace(seconds(ttlSeconds))).isEqualTo(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @ParameterizedTest
    @CsvSource({"30, 3000, false", "30, 3001, true", "2, 1000, false", "2, 1001, true"})
    void aMonotonicClockThatFallsBehindTheTimeOfDayIsSuspect(long ttlSeconds, long behindMillis, boolean suspect) {
        assertThat(RenewalSchedule.isSuspect(CONFIRMED, seconds(ttlSeconds), false, SENT, WALL + behindMillis))
                .isEqualTo(suspect);
    }

    @ParameterizedTest
    @CsvSource({"1000, 98, false", "1000, 99, true", "300, 29, false", "300, 30, true"})
    void aProvisionalLeaseIsSuspectAfterATenthOfItsOwnLength(long lengthMillis, long behindMillis, boolean suspect) {
        LeaseValidity provisional = LeaseValidity.of(SENT, WALL, Duration.ofMillis(lengthMillis));
        assertThat(RenewalSchedule.isSuspect(provisional, TTL, true, SENT, WALL + behindMillis))
                .isEqualTo(suspect);
    }

    @Test
    void timeThatBothClocksMeasureIsNotSuspect() {
        assertThat(RenewalSchedule.isSuspect(CONFIRMED, TTL, false, SENT + seconds(15), WALL + 15_000))
                .isFalse();
    }

    @Test
    void aTimeOfDayThatWasSetBackIsNotSuspect() {
        assertThat(RenewalSchedule.isSuspect(CONFIRMED, TTL, false, SENT + seconds(1), WALL - 3_600_000))
                .isFalse();
    }

    /** The delay with the least jitter for 0, with the most for 1. */
    private static long retryDelay(long now, long jitter) {
        return RenewalSchedule.retryDelay(CONFIRMED, TTL, now, bound -> jitter * (bound - 1));
    }

    private static long seconds(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
