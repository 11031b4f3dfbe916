package io.leasehold.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTests {

    @Test
    void theMiddleOfAnOddNumber() {
        assertThat(Spread.of(List.of(9.0, 1.0, 4.0))).isEqualTo(new Spread(4, 1, 9));
    }

    @Test
    void theMeanOfTheTwoInTheMiddleOfAnEvenNumber() {
        assertThat(Spread.of(List.of(8.0, 1.0, 4.0, 2.0))).isEqualTo(new Spread(3, 1, 8));
    }

    @Test
    void nothingHasNoSpread() {
        assertThatIllegalArgumentException().isThrownBy(() -> Spread.of(List.of()));
    }
}
