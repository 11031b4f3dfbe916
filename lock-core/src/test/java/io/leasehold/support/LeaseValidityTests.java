package io.leasehold.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The time for which a confirmation of the store is relied on. */
class LeaseValidityTests {

    private static final long SENT_AT = 5_000_000_000L;

    @ParameterizedTest
    @CsvSource({"PT30S, PT0.302S", "PT1S, PT0.012S", "PT0.02S, PT0.0022S", "PT0.01S, PT0.0011S"})
    void itIsShorterThanTheTtlByAHundredthAndTwoMillisecondsOrATenth(Duration ttl, Duration less) {
        assertThat(LeaseValidity.allowance(ttl.toNanos())).isEqualTo(less.toNanos());
        assertThat(LeaseValidity.of(SENT_AT, 7, ttl))
                .isEqualTo(
                        new LeaseValidity(SENT_AT, 7, SENT_AT + ttl.minus(less).toNanos()));
    }

    @Test
    void aNewerConfirmationNeverEndsBeforeAnOlderOne() {
        LeaseValidity older = LeaseValidity.of(SENT_AT, 7, Duration.ofSeconds(60));
        LeaseValidity shorter = LeaseValidity.of(SENT_AT + 1, 8, Duration.ofSeconds(30));
        LeaseValidity longer = LeaseValidity.of(SENT_AT + 1, 8, Duration.ofSeconds(90));
        assertThat(shorter.noShorterThan(older)).isEqualTo(new LeaseValidity(SENT_AT + 1, 8, older.validUntil()));
        assertThat(longer.noShorterThan(older)).isSameAs(longer);
    }

    @Test
    void itHasEndedFromItsEndOn() {
        LeaseValidity validity = new LeaseValidity(Long.MAX_VALUE - 10, 7, Long.MIN_VALUE + 5);
        assertThat(validity.hasEnded(Long.MIN_VALUE + 4)).isFalse();
        assertThat(validity.hasEnded(Long.MIN_VALUE + 5)).isTrue();
        assertThat(validity.hasEnded(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void theClockMayOverflow() {
        LeaseValidity older = new LeaseValidity(Long.MAX_VALUE - 10, 7, Long.MAX_VALUE - 5);
        LeaseValidity newer = new LeaseValidity(Long.MAX_VALUE - 8, 8, Long.MIN_VALUE + 5);
        assertThat(newer.noShorterThan(older)).isSameAs(newer);
    }
}
