package io.leasehold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.leasehold.benchmarks.row.Row;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTests {

    @Test
    void withoutArgumentsEverythingIsMeasured() {
        Options options = Options.parse(List.of());
        assertThat(Rows.all(List.of(Duration.ZERO))).allMatch(row -> options.wants(row.name()));
    }

    @Test
    void rowsAreSelectedByNameOrPrefix() {
        Options options = Options.parse(List.of("--only=hot-64,uncontended-*"));
        assertThat(Rows.all(List.of(Duration.ZERO)))
                .extracting(Row::name)
                .filteredOn(options::wants)
                .contains("hot-64", "uncontended-1", "uncontended-8")
                .doesNotContain("hot-64-1ms", "processes-4x4");
    }

    @Test
    void namesOfRowsAreDifferent() {
        assertThat(Rows.all(List.of(Duration.ZERO))).extracting(Row::name).doesNotHaveDuplicates();
    }

    @Test
    void givenOptionsTakePrecedenceOverQuick() {
        Options options = Options.parse(
                List.of("--rounds=7", "--quick", "--seconds=0.2", "--warm-up=8", "--longest-warm-up=9", "--servers=5"));
        assertThat(options.effort().rounds()).isEqualTo(7);
        assertThat(options.effort().servers()).isEqualTo(5);
        assertThat(options.effort().window()).isEqualTo(Duration.ofMillis(200));
        assertThat(options.effort().warmUp()).isEqualTo(Duration.ofSeconds(8));
        assertThat(options.effort().longestWarmUp()).isEqualTo(Duration.ofSeconds(9));
        assertThat(options.effort().keys()).isLessThan(1_000_000);
    }

    @Test
    void theDistanceIsInMilliseconds() {
        assertThat(Options.parse(List.of()).roundTrips()).containsExactly(Duration.ZERO);
        assertThat(Options.parse(List.of("--round-trip=0.5,20")).roundTrips())
                .containsExactly(Duration.ofNanos(500_000), Duration.ofMillis(20));
    }

    @Test
    void aRowAtADistanceIsSelectedByTheNameOfTheRow() {
        Options options = Options.parse(List.of("--only=hot-64", "--round-trip=0,2"));
        assertThat(Rows.all(options.roundTrips()))
                .extracting(Row::name)
                .filteredOn(options::wants)
                .containsExactly("hot-64", "hot-64@2ms");
    }

    @Test
    void anUnknownOptionIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(List.of("--round=3")))
                .withMessageContaining("'--round=3'")
                .withMessageContaining("--rounds=n");
    }
}
