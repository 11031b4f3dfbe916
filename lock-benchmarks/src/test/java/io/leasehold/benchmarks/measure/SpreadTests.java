package io.leasehold.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTests {

    @Test
    void theMedianOfAnOddNumberOfValues() {
        assertThat(Spread.of(List.of(9.0, 1.0, 4.0))).isEqualTo(new Spread(4, 1, 9));
    }

    @Test
    void theMedianOfAnEvenNumberOfValues() {
        assertThat(Spread.of(List.of(8.0, 1.0, 4.0, 2.0))).isEqualTo(new Spread(3, 1, 8));
    }

    @Test
    void noValuesHaveNoSpread() {
        assertThatIllegalArgumentException().isThrownBy(() -> Spread.of(List.of()));
    }
}
