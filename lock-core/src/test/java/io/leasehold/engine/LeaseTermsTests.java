package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.leasehold.LockRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LeaseTermsTests {

    private static final Duration TTL = Duration.ofSeconds(30);

    private static final LockerSettings SETTINGS = LockerSettings.of("deploy").withTtl(TTL);

    @Test
    void theCommandTimeoutIsASecondOrASixthOfTheTtl() {
        assertThat(terms(TTL, true, null, Duration.ZERO, null).commandTimeout())
                .isEqualTo(Duration.ofSeconds(1).toNanos());
        assertThat(terms(Duration.ofMillis(600), true, null, Duration.ZERO, null)
                        .commandTimeout())
                .isEqualTo(Duration.ofMillis(100).toNanos());
    }

    @Test
    void theTtlIsAtLeastThreeCommandTimeouts() {
        Duration timeout = Duration.ofMillis(500);
        assertThat(terms(timeout.multipliedBy(3), true, null, Duration.ZERO, timeout)
                        .commandTimeout())
                .isEqualTo(timeout.toNanos());
        assertRefused(timeout.multipliedBy(3).minusNanos(3), true, null, Duration.ZERO, timeout, "PT0.5S", "'ttl'");
    }

    @Test
    void theTtlIsFromAMillisecondToAYear() {
        assertThat(terms(Duration.ofMillis(1), true, null, Duration.ZERO, null).ttlNanos())
                .isEqualTo(1_000_000);
        assertThat(terms(Duration.ofDays(365), true, null, Duration.ZERO, null).ttl())
                .isEqualTo(Duration.ofDays(365));
        assertRefused(Duration.ofNanos(999_999), true, null, Duration.ZERO, null, "'ttl'", "PT0.000999999S");
        assertRefused(Duration.ofDays(365).plusNanos(1), true, null, Duration.ZERO, null, "'ttl'", "365d");
    }

    @Test
    void theMaximumHoldTimeNeedsRenewalAndIsNotShorterThanTheTtl() {
        assertThat(terms(TTL, true, TTL, Duration.ZERO, null).maxHold()).isEqualTo(TTL.toNanos());
        assertThat(terms(TTL, true, null, Duration.ZERO, null).maxHold()).isEqualTo(Long.MAX_VALUE);
        assertRefused(TTL, false, TTL, Duration.ZERO, null, "'max-hold-time'", "auto-renew");
        assertRefused(TTL, true, TTL.minusNanos(1), Duration.ZERO, null, "'max-hold-time'", "'ttl'");
        assertRefused(TTL, true, Duration.ofDays(366), Duration.ZERO, null, "'max-hold-time'", "365d");
    }

    @Test
    void theMinimumHoldTimeEndsBeforeTheMaximumAndWithoutRenewalBeforeTheTtl() {
        assertThat(terms(TTL, true, TTL, TTL, null).minHold()).isEqualTo(TTL.toNanos());
        assertThat(terms(TTL, false, null, TTL, null).minHold()).isEqualTo(TTL.toNanos());
        assertThat(terms(TTL, true, null, TTL.multipliedBy(2), null).minHold())
                .isEqualTo(TTL.multipliedBy(2).toNanos());
        assertRefused(TTL, true, TTL, TTL.plusNanos(1), null, "'min-hold-time'", "'max-hold-time'");
        assertRefused(TTL, false, null, TTL.plusNanos(1), null, "'min-hold-time'", "'auto-renew' (false)");
    }

    @Test
    void aPlainRequestHasTheLockersTerms() {
        LeaseTerms ofLocker = terms(TTL, true, null, Duration.ZERO, null);
        assertThat(LeaseTerms.of(SETTINGS, ofLocker, LockRequest.of("a"))).isSameAs(ofLocker);
    }

    @Test
    void aRequestOverridesTheTermsThatItSets() {
        LeaseTerms ofLocker = terms(TTL, true, null, Duration.ZERO, null);
        LeaseTerms shorter =
                LeaseTerms.of(SETTINGS, ofLocker, LockRequest.of("a").withTtl(Duration.ofSeconds(12)));
        assertThat(shorter.ttl()).isEqualTo(Duration.ofSeconds(12));
        assertThat(shorter.autoRenew()).isTrue();
        LeaseTerms kept = LeaseTerms.of(SETTINGS, ofLocker, LockRequest.of("a").withMinHoldTime(Duration.ofSeconds(7)));
        assertThat(kept.minHold()).isEqualTo(Duration.ofSeconds(7).toNanos());
        assertThat(kept.ttl()).isEqualTo(TTL);
    }

    private static void assertRefused(
            Duration ttl,
            boolean autoRenew,
            @Nullable Duration maxHoldTime,
            Duration minHoldTime,
            @Nullable Duration commandTimeout,
            String... message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> terms(ttl, autoRenew, maxHoldTime, minHoldTime, commandTimeout))
                .withMessageContainingAll(message)
                .withMessageContaining("'deploy'");
    }

    private static LeaseTerms terms(
            Duration ttl,
            boolean autoRenew,
            @Nullable Duration maxHoldTime,
            Duration minHoldTime,
            @Nullable Duration commandTimeout) {
        return LeaseTerms.of("deploy", ttl, autoRenew, maxHoldTime, minHoldTime, commandTimeout);
    }
}
