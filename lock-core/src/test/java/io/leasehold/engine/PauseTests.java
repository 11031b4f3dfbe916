package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.AcquireAnswer.Busy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How long a waiting caller waits before it asks again. */
class PauseTests {

    private static final long NOW = 5_000_000_000L;

    private static final long FAR = NOW + Duration.ofHours(1).toNanos();

    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void withoutAHintItIsATenthOfASecondAtMostWithJitterOverTheWholeOfIt() {
        LongStream millis = pauses(() -> Pause.afterBusy(new Busy(LONG), NOW, FAR));
        assertThat(millis.summaryStatistics())
                .satisfies(pauses -> assertThat(pauses.getMin()).isBetween(1L, 10L))
                .satisfies(pauses -> assertThat(pauses.getMax()).isBetween(90L, 101L));
    }

    @Test
    void itIsNotLongerThanTheLockCanBeHeldWithoutRenewal() {
        LongStream millis = pauses(() -> Pause.afterBusy(new Busy(Duration.ofMillis(20)), NOW, FAR));
        assertThat(millis.max().orElseThrow()).isBetween(15L, 22L);
        LongStream expired = pauses(() -> Pause.afterBusy(new Busy(Duration.ZERO), NOW, FAR));
        assertThat(expired.max().orElseThrow()).isLessThanOrEqualTo(2);
    }

    @Test
    void whoStandsInTheStoresLineWaitsForHalfOfItAtLeast() {
        Duration patience = Duration.ofSeconds(2);
        LongStream millis =
                pauses(() -> Pause.afterBusy(new Busy(LONG, new CompletableFuture<>(), true, patience), NOW, FAR));
        assertThat(millis.summaryStatistics())
                .satisfies(pauses -> assertThat(pauses.getMin()).isBetween(1_000L, 1_100L))
                .satisfies(pauses -> assertThat(pauses.getMax()).isBetween(1_900L, 2_001L));
    }

    @Test
    void whoDoesNotStandInALineMayMeetOthersAndSoWaitsAtRandom() {
        Duration patience = Duration.ofSeconds(2);
        LongStream millis =
                pauses(() -> Pause.afterBusy(new Busy(LONG, new CompletableFuture<>(), false, patience), NOW, FAR));
        assertThat(millis.min().orElseThrow()).isLessThan(300);
    }

    @Test
    void afterFailuresItGrowsToHalfASecond() {
        LongStream first = pauses(() -> Pause.afterFailure(0, NOW, FAR));
        assertThat(first.max().orElseThrow()).isBetween(7L, 11L);
        LongStream third = pauses(() -> Pause.afterFailure(2, NOW, FAR));
        assertThat(third.max().orElseThrow()).isBetween(30L, 41L);
        LongStream late = pauses(() -> Pause.afterFailure(40, NOW, FAR));
        assertThat(late.max().orElseThrow()).isBetween(400L, 501L);
    }

    @Test
    void itNeverGoesBeyondTheCallersWaitTime() {
        long deadline = NOW + 3;
        assertThat(Pause.afterBusy(new Busy(LONG), NOW, deadline).until()).isEqualTo(deadline);
        assertThat(Pause.afterFailure(3, NOW, deadline).until()).isEqualTo(deadline);
    }

    @Test
    void itIsOverByTheClockOrByTheHint() {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        Pause pause = new Pause(NOW, turn);
        assertThat(pause.isOver(NOW - 1)).isFalse();
        assertThat(pause.isOver(NOW)).isTrue();
        turn.complete(null);
        assertThat(pause.isOver(NOW - 1)).isTrue();
        assertThat(new Pause(NOW, null).isOver(NOW - 1)).isFalse();
    }

    @Test
    void aHintThatNobodyWaitsForAnyMoreIsGivenBack() {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        new Pause(NOW, turn).giveUp();
        assertThat(turn).isCancelled();
        new Pause(NOW, null).giveUp();
    }

    private static LongStream pauses(Supplier<Pause> pause) {
        return LongStream.generate(() -> (pause.get().until() - NOW) / 1_000_000)
                .limit(500);
    }
}
