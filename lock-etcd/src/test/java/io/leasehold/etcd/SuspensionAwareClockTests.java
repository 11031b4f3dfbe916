package io.leasehold.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SuspensionAwareClockTests {

    private long nanos = Long.MAX_VALUE - 1_000_000;

    private long millis = 1_800_000_000_000L;

    private final SuspensionAwareClock clock =
            new SuspensionAwareClock(() -> nanos, () -> Instant.ofEpochMilli(millis));

    @Test
    void advancesWithTheMonotonicClock() {
        assertThat(elapsed(() -> pass(10_000))).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void advancesByTheTimeOfASuspension() {
        assertThat(elapsed(() -> {
                    pass(1_000);
                    millis += 20_000;
                }))
                .isEqualTo(Duration.ofSeconds(21));
        assertThat(elapsed(() -> millis += 5_000)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aTimeOfDayThatIsSetBackChangesNothing() {
        assertThat(elapsed(() -> millis -= 3_600_000)).isZero();
        assertThat(elapsed(() -> millis += 20_000)).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void theReadingsOfTwoClocksNeverAddUp() {
        assertThat(elapsed(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        millis += i % 2 == 0 ? 50 : -50;
                        clock.getAsLong();
                    }
                }))
                .isZero();
    }

    @Test
    void aSlowAdvanceCountsInTheEnd() {
        assertThat(elapsed(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        millis += 1;
                        clock.getAsLong();
                    }
                }))
                .isGreaterThan(Duration.ofMillis(900));
    }

    private void pass(long time) {
        nanos += Duration.ofMillis(time).toNanos();
        millis += time;
    }

    private Duration elapsed(Runnable meanwhile) {
        long before = clock.getAsLong();
        meanwhile.run();
        return Duration.ofNanos(clock.getAsLong() - before);
    }
}
