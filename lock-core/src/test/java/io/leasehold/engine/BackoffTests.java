package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.AcquireAnswer.Busy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The back-off of a waiting caller before its next attempt. */
class BackoffTests {

    private static final long NOW = 5_000_000_000L;

    private static final long FAR = NOW + Duration.ofHours(1).toNanos();

    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void withoutAWakeupItIsAtMostATenthOfASecondWithFullJitter() {
        LongStream millis = pauses(() -> Backoff.afterBusy(new Busy(LONG), NOW, FAR, EngineResources::random));
        assertThat(millis.summaryStatistics())
                .satisfies(pauses -> assertThat(pauses.getMin()).isBetween(1L, 10L))
                .satisfies(pauses -> assertThat(pauses.getMax()).isBetween(90L, 101L));
    }

    @Test
    void itIsNotLongerThanTheLockCanBeHeldWithoutRenewal() {
        LongStream millis =
                pauses(() -> Backoff.afterBusy(new Busy(Duration.ofMillis(20)), NOW, FAR, EngineResources::random));
        assertThat(millis.max().orElseThrow()).isBetween(15L, 22L);
        LongStream expired =
                pauses(() -> Backoff.afterBusy(new Busy(Duration.ZERO), NOW, FAR, EngineResources::random));
        assertThat(expired.max().orElseThrow()).isLessThanOrEqualTo(2);
    }

    @Test
    void aQueuedWaiterWaitsForAtLeastHalfOfIt() {
        Duration patience = Duration.ofSeconds(2);
        LongStream millis = pauses(() -> Backoff.afterBusy(
                new Busy(LONG, new CompletableFuture<>(), true, patience), NOW, FAR, EngineResources::random));
        assertThat(millis.summaryStatistics())
                .satisfies(pauses -> assertThat(pauses.getMin()).isBetween(1_000L, 1_100L))
                .satisfies(pauses -> assertThat(pauses.getMax()).isBetween(1_900L, 2_001L));
    }

    @Test
    void anUnqueuedWaiterWaitsForARandomTime() {
        Duration patience = Duration.ofSeconds(2);
        LongStream millis = pauses(() -> Backoff.afterBusy(
                new Busy(LONG, new CompletableFuture<>(), false, patience), NOW, FAR, EngineResources::random));
        assertThat(millis.min().orElseThrow()).isLessThan(300);
    }

    @Test
    void afterFailuresItGrowsToHalfASecond() {
        LongStream first = pauses(() -> Backoff.afterFailure(0, NOW, FAR, EngineResources::random));
        assertThat(first.max().orElseThrow()).isBetween(7L, 11L);
        LongStream third = pauses(() -> Backoff.afterFailure(2, NOW, FAR, EngineResources::random));
        assertThat(third.max().orElseThrow()).isBetween(30L, 41L);
        LongStream late = pauses(() -> Backoff.afterFailure(40, NOW, FAR, EngineResources::random));
        assertThat(late.max().orElseThrow()).isBetween(400L, 501L);
    }

    @Test
    void itNeverGoesBeyondTheCallersWaitTime() {
        long deadline = NOW + 3;
        assertThat(Backoff.afterBusy(new Busy(LONG), NOW, deadline, EngineResources::random)
                        .until())
                .isEqualTo(deadline);
        assertThat(Backoff.afterFailure(3, NOW, deadline, EngineResources::random)
                        .until())
                .isEqualTo(deadline);
    }

    @Test
    void itEndsByTheClockOrByTheWakeup() {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        Backoff backoff = new Backoff(NOW, turn);
        assertThat(backoff.isOver(NOW - 1)).isFalse();
        assertThat(backoff.isOver(NOW)).isTrue();
        turn.complete(null);
        assertThat(backoff.isOver(NOW - 1)).isTrue();
        assertThat(new Backoff(NOW, null).isOver(NOW - 1)).isFalse();
    }

    @Test
    void aWakeupWithoutAWaiterIsCancelled() {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        new Backoff(NOW, turn).end();
        assertThat(turn).isCancelled();
        new Backoff(NOW, null).end();
    }

    private static LongStream pauses(Supplier<Backoff> pause) {
        return LongStream.generate(() -> (pause.get().until() - NOW) / 1_000_000)
                .limit(500);
    }
}
