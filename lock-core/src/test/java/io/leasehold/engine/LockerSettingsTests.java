package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.leasehold.LockRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The settings of a locker, and the names in the messages that reject them. */
class LockerSettingsTests {

    @Test
    void theDefaultsAreTheDocumentedOnes() {
        LockerSettings settings = LockerSettings.of("deploy");
        assertThat(settings)
                .isEqualTo(new LockerSettings(
                        "deploy",
                        "deploy",
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(30),
                        true,
                        null,
                        Duration.ZERO,
                        null,
                        64,
                        null,
                        null,
                        true,
                        false));
    }

    @Test
    void eachSettingIsChangedAlone() {
        LockerSettings settings = LockerSettings.of("deploy")
                .withTtl(Duration.ofSeconds(7))
                .withWaitTime(Duration.ofSeconds(8))
                .withCommandTimeout(Duration.ofSeconds(1))
                .withMaxLocalHandoffs(9)
                .withThresholds(Duration.ofMinutes(1), Duration.ofMinutes(2))
                .withNamespace("deployments")
                .withMaxHoldTime(Duration.ofHours(1))
                .withMinHoldTime(Duration.ofMillis(3))
                .withReportHolder(false)
                .withForceRelease(true);
        assertThat(settings)
                .isEqualTo(new LockerSettings(
                        "deploy",
                        "deployments",
                        Duration.ofSeconds(8),
                        Duration.ofSeconds(7),
                        true,
                        Duration.ofHours(1),
                        Duration.ofMillis(3),
                        Duration.ofSeconds(1),
                        9,
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(2),
                        false,
                        true));
        assertThat(LockerSettings.of("deploy").withAutoRenew(false).autoRenew()).isFalse();
    }

    @Test
    void aNameIsNeeded() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockerSettings.of(" "))
                .withMessageContainingAll("'name'", "' '");
    }

    @Test
    void timesAreNotNegative() {
        assertThat(settings(Duration.ZERO, Duration.ZERO, null).waitTime()).isZero();
        assertRefused(Duration.ofNanos(-1), Duration.ZERO, null, "'wait-time'", "PT-0.000000001S");
        assertRefused(Duration.ZERO, Duration.ofMillis(-1), null, "'min-hold-time'", "PT-0.001S");
        assertRefused(Duration.ZERO, Duration.ZERO, Duration.ZERO, "'command-timeout'", "PT0S");
        assertRefused(Duration.ZERO, Duration.ZERO, Duration.ofMillis(-1), "'command-timeout'", "PT-0.001S");
    }

    @Test
    void thresholdsAreNotNegative() {
        LockerSettings settings = LockerSettings.of("deploy");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withThresholds(Duration.ofMillis(-1), null))
                .withMessageContainingAll("'long-hold-threshold'", "'deploy'", "PT-0.001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withThresholds(null, Duration.ofMillis(-1)))
                .withMessageContainingAll("'long-wait-threshold'", "'deploy'", "PT-0.001S");
    }

    @Test
    void minimumHoldTimeAndThresholdsAreAtMostAYear() {
        Duration tooLong = Duration.ofDays(120_000);
        LockerSettings settings = LockerSettings.of("deploy");
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> settings.withMinHoldTime(tooLong))
                .withMessageContainingAll("'min-hold-time'", "'deploy'", "0s to 365d", tooLong.toString());
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> settings.withThresholds(tooLong, null))
                .withMessageContaining("'long-hold-threshold'");
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> settings.withThresholds(null, tooLong))
                .withMessageContaining("'long-wait-threshold'");
    }

    @Test
    void handoffsAreLimitedToAByte() {
        LockerSettings settings = LockerSettings.of("deploy");
        assertThat(settings.withMaxLocalHandoffs(0).maxLocalHandoffs()).isZero();
        assertThat(settings.withMaxLocalHandoffs(255).maxLocalHandoffs()).isEqualTo(255);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withMaxLocalHandoffs(-1))
                .withMessageContainingAll("'max-local-handoffs'", "'deploy'", "-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withMaxLocalHandoffs(256))
                .withMessageContaining("256");
    }

    @Test
    void contradictionsAreRejectedWhenTheLockerIsCreated() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockerSettings.of("deploy").withCommandTimeout(Duration.ofSeconds(11)))
                .withMessageContainingAll("'ttl'", "PT30S", "PT11S");
    }

    @Test
    void aContradictionCanBeToldWithOtherNamesOfTheSettings() {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> LockerSettings.of("deploy").withMaxHoldTime(Duration.ofSeconds(29)))
                .satisfies(refused -> {
                    assertThat(refused.setting()).isEqualTo("max-hold-time");
                    assertThat(refused.expectation(other -> "'lock." + other + "'"))
                            .isEqualTo("must not be shorter than 'lock.ttl'");
                    assertThat(refused.nextStep()).isEqualTo("Raise the one or lower the other.");
                });
    }

    @Test
    void aRequestWithoutRenewalHasNoMaximumHoldTimeOfTheLocker() {
        LockerSettings settings = LockerSettings.of("deploy")
                .withMaxHoldTime(Duration.ofMinutes(1))
                .withMinHoldTime(Duration.ofSeconds(2));
        LeaseTerms ofLocker =
                LeaseTerms.of("deploy", settings.ttl(), true, settings.maxHoldTime(), settings.minHoldTime(), null);
        assertThat(ofLocker.maxHold()).isEqualTo(Duration.ofMinutes(1).toNanos());

        LeaseTerms once = LeaseTerms.of(settings, ofLocker, LockRequest.of("a").withAutoRenew(false));
        assertThat(once.autoRenew()).isFalse();
        assertThat(once.maxHold()).isEqualTo(Long.MAX_VALUE);
        assertThat(once.minHold()).isEqualTo(Duration.ofSeconds(2).toNanos());

        LeaseTerms renewed =
                LeaseTerms.of(settings, ofLocker, LockRequest.of("a").withTtl(Duration.ofSeconds(20)));
        assertThat(renewed.maxHold()).isEqualTo(Duration.ofMinutes(1).toNanos());
        LeaseTerms longer =
                LeaseTerms.of(settings, ofLocker, LockRequest.of("a").withMaxHoldTime(Duration.ofMinutes(2)));
        assertThat(longer.maxHold()).isEqualTo(Duration.ofMinutes(2).toNanos());
    }

    private static void assertRefused(
            Duration waitTime, Duration minHoldTime, @Nullable Duration commandTimeout, String... message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(waitTime, minHoldTime, commandTimeout))
                .withMessageContainingAll(message)
                .withMessageContaining("'deploy'");
    }

    private static LockerSettings settings(Duration waitTime, Duration minHoldTime, @Nullable Duration commandTimeout) {
        return LockerSettings.of("deploy")
                .withWaitTime(waitTime)
                .withMinHoldTime(minHoldTime)
                .withCommandTimeout(commandTimeout);
    }
}
