package io.leasehold.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The name that a mistyped one was probably meant to be. */
class NearestNameTests {

    /** One insertion, deletion, replacement or transposition; and 3 changes of 7 letters. */
    @ParameterizedTest
    @CsvSource({
        "timout, timeout",
        "timeeout, timeout",
        "tineout, timeout",
        "TTL, ttl",
        "ab, abc",
        "kitten, sitting",
        "hots, host"
    })
    void aNameIsMeantIfLessThanHalfOfItsLettersDiffer(String mistyped, String name) {
        assertThat(NearestName.of(mistyped, List.of(name))).contains(name);
        assertThat(NearestName.of(name, List.of(mistyped))).contains(mistyped);
    }

    /** 3 changes of 6 letters, 2 of 4, and 1 of 2. */
    @ParameterizedTest
    @CsvSource({"kitten, sittng", "abcd, abxy", "ab, ba", "ttl, namespace"})
    void noNameIsMeantIfHalfOfItsLettersDiffer(String mistyped, String name) {
        assertThat(NearestName.of(mistyped, List.of(name))).isEmpty();
        assertThat(NearestName.of(name, List.of(mistyped))).isEmpty();
    }

    @Test
    void theNearestOfSeveralNamesIsMeant() {
        assertThat(NearestName.of("wait-tme", List.of("hold-time", "wait-time", "wait-times")))
                .contains("wait-time");
        assertThat(NearestName.of("wait-tme", List.of())).isEmpty();
        assertThat(NearestName.of("", List.of("a"))).isEmpty();
    }
}
