package io.leasehold.benchmarks.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WarmUpTests {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final WarmUp warmUp = new WarmUp(Duration.ofSeconds(3), Duration.ofSeconds(6));

    @Test
    void itLastsForTheShortestTimeEvenIfNothingIsCompiled() {
        assertThat(warmUp.isOverAfter(SECOND, 0)).isFalse();
        assertThat(warmUp.isOverAfter(SECOND, 0)).isFalse();
        assertThat(warmUp.isOverAfter(SECOND, 0)).isTrue();
    }

    @Test
    void itContinuesUntilTheCompilersAreIdleTwiceInARow() {
        assertThat(warmUp.isOverAfter(SECOND, 0.8)).isFalse();
        assertThat(warmUp.isOverAfter(SECOND, 0)).isFalse();
        assertThat(warmUp.isOverAfter(SECOND, 0.1)).isFalse();
        assertThat(warmUp.isOverAfter(SECOND, 0.01)).isFalse();
        assertThat(warmUp.isOverAfter(SECOND, 0.01)).isTrue();
    }

    @Test
    void itEndsAfterTheLongestTimeEvenIfTheCompilersAreBusy() {
        for (int second = 1; second < 6; second++) {
            assertThat(warmUp.isOverAfter(SECOND, 1)).isFalse();
        }
        assertThat(warmUp.isOverAfter(SECOND, 1)).isTrue();
    }
}
