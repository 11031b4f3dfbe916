package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The terms of a request and their limits. */
class LockRequestTests {

    private static final LockRequest REQUEST = LockRequest.of("k");

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void aPlainRequestSetsNoTerms() {
        assertThat(REQUEST).isEqualTo(new LockRequest("k", null, null, null, null, null));
    }

    @Test
    void eachTermIsSetAndTheOthersStay() {
        LockRequest all = REQUEST.withWaitTime(Duration.ZERO)
                .withTtl(SECOND)
                .withAutoRenew(true)
                .withMaxHoldTime(Duration.ofSeconds(9))
                .withMinHoldTime(Duration.ofSeconds(2));
        assertThat(all)
                .isEqualTo(new LockRequest(
                        "k", Duration.ZERO, SECOND, true, Duration.ofSeconds(9), Duration.ofSeconds(2)));
    }

    @ParameterizedTest
    @MethodSource
    void invalidTermsAreRejectedWithNameValueAndKey(ThrowingCallable request, String message) {
        assertThatThrownBy(request).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    static Stream<Arguments> invalidTermsAreRejectedWithNameValueAndKey() {
        Duration negative = Duration.ofMillis(-1);
        return Stream.of(
                refused(
                        () -> LockRequest.of(" "),
                        "'key' must not be blank: ' '. Name what is to be locked, for example by its id"),
                refused(
                        () -> REQUEST.withWaitTime(negative),
                        "'waitTime' must not be negative: PT-0.001S. Set it to zero or more"),
                refused(() -> REQUEST.withTtl(Duration.ZERO), "'ttl' must be positive: PT0S"),
                refused(() -> REQUEST.withTtl(negative), "'ttl' must be positive: PT-0.001S"),
                refused(() -> REQUEST.withMaxHoldTime(Duration.ZERO), "'maxHoldTime' must be positive: PT0S"),
                refused(
                        () -> REQUEST.withMinHoldTime(negative),
                        "'minHoldTime' must not be negative: PT-0.001S. Set it to zero or more"),
                refused(
                        () -> REQUEST.withAutoRenew(false).withMaxHoldTime(SECOND),
                        "'maxHoldTime' PT1S needs auto-renewal: without it the ttl is the longest hold"),
                refused(
                        () -> REQUEST.withTtl(Duration.ofSeconds(2)).withMaxHoldTime(SECOND),
                        "'maxHoldTime' PT1S must not be shorter than 'ttl' PT2S"),
                refused(
                        () -> REQUEST.withMaxHoldTime(SECOND).withMinHoldTime(Duration.ofSeconds(2)),
                        "'minHoldTime' PT2S must not be longer than 'maxHoldTime' PT1S"),
                refused(
                        () -> REQUEST.withAutoRenew(false).withTtl(SECOND).withMinHoldTime(Duration.ofSeconds(2)),
                        "'minHoldTime' PT2S must not be longer than 'ttl' PT1S without auto-renewal"));
    }

    @Test
    void termsAtTheLimitsAreAccepted() {
        assertThat(REQUEST.withTtl(SECOND).withMaxHoldTime(SECOND).withMinHoldTime(SECOND))
                .isNotNull();
        assertThat(REQUEST.withAutoRenew(false).withTtl(SECOND).withMinHoldTime(SECOND))
                .isNotNull();
        assertThat(REQUEST.withMinHoldTime(Duration.ZERO).withWaitTime(Duration.ofSeconds(Long.MAX_VALUE)))
                .isNotNull();
    }

    private static Arguments refused(ThrowingCallable request, String message) {
        return Arguments.of(request, message);
    }
}
