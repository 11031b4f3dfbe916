package io.leasehold.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitHistogramTests {

    private final WaitHistogram histogram = new WaitHistogram();

    @Test
    void anEmptyHistogramHasOnlyZeros() {
        assertThat(histogram.quantile(0.99)).isZero();
        assertThat(histogram.max()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 63, 64, 127, 128, 1_000, 1_000_000, 123_456_789, 900_000_000_000L})
    void aSingleValueIsItsOwnQuantile(long nanos) {
        histogram.record(nanos);
        assertThat(histogram.quantile(0.5)).isEqualTo(nanos);
        assertThat(histogram.quantile(1)).isEqualTo(nanos);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.5, 0.9, 0.99, 0.999, 1})
    void quantilesEqualThoseOfTheSortedValues(double share) {
        Random random = new Random(7);
        long[] values = random.longs(20_000, 1, 1L << 36)
                .map(value -> value >> random.nextInt(30))
                .toArray();
        Arrays.stream(values).forEach(histogram::record);
        Arrays.sort(values);
        long exact = values[(int) Math.ceil(share * values.length) - 1];
        assertThat(histogram.quantile(share)).isBetween(exact, exact + exact / 50 + 1);
    }

    @Test
    void theSumOfTwoHistogramsEqualsOneWithAllValues() {
        WaitHistogram other = new WaitHistogram();
        for (int i = 1; i <= 1000; i++) {
            (i % 2 == 0 ? histogram : other).record(i * 1000L);
        }
        histogram.add(other);
        assertThat(histogram.count()).isEqualTo(1000);
        assertThat(histogram.max()).isEqualTo(1_000_000);
        assertThat((double) histogram.quantile(0.5)).isCloseTo(500_000, withinPercentage(2));
    }

    @Test
    void aValueBeyondTheRangeIsTheMaximum() {
        histogram.record(Long.MAX_VALUE);
        assertThat(histogram.max()).isEqualTo(Long.MAX_VALUE);
        assertThat(histogram.count()).isEqualTo(1);
    }
}
