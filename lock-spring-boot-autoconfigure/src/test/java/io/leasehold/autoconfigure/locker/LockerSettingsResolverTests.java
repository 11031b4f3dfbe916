package io.leasehold.autoconfigure.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockProperties;
import io.leasehold.autoconfigure.property.LockerName;
import io.leasehold.autoconfigure.property.LockerProperties;
import io.leasehold.engine.LockerSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The settings of a locker are its own, and otherwise those of the defaults. */
class LockerSettingsResolverTests {

    private static final LockerName DEPLOY = LockerName.of(LockerName.PARENT.append("deploy"));

    @Test
    void withoutSettingsOfItsOwnALockerHasTheDefaults() {
        LockerSettings settings = resolver(null).resolve(DEPLOY, LockerProperties.EMPTY);
        assertThat(settings.ttl()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.maxHoldTime()).isEqualTo(Duration.ofHours(1));
        assertThat(settings.namespace()).isEqualTo("deploy");
    }

    @Test
    void theNameOfTheApplicationPrecedesTheNamespace() {
        assertThat(resolver("shop").resolve(DEPLOY, LockerProperties.EMPTY).namespace())
                .isEqualTo("shop.deploy");
        assertThat(resolver("shop").resolve(DEPLOY, own("mine", null, null)).namespace())
                .isEqualTo("mine");
    }

    @Test
    void aNamespaceWithAColonIsRefusedWithItsProperty() {
        assertThatThrownBy(() -> resolver(null).resolve(DEPLOY, own("a:b", null, null)))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("lock.lockers.deploy.namespace")
                .hasMessageContaining("'a:b'");
    }

    @Test
    void aContradictionIsReportedWithTheTwoPropertiesItComesFrom() {
        assertThatThrownBy(() -> resolver(null).resolve(DEPLOY, own(null, Duration.ofHours(2), null)))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("lock.defaults.max-hold-time")
                .hasMessageContaining("lock.lockers.deploy.ttl");
    }

    @Test
    void aLockerThatAloneDoesNotRenewIsNotLimitedByTheDefaults() {
        assertThat(resolver(null).resolve(DEPLOY, own(null, null, false)).maxHoldTime())
                .isNull();
    }

    @Test
    void thresholdsComeFromTheDefaultsOrAreUnset() {
        LockerSettings settings = resolver(null).resolve(DEPLOY, LockerProperties.EMPTY);
        assertThat(settings.longHoldThreshold()).isNull();
        assertThat(settings.longWaitThreshold()).isEqualTo(Duration.ofMinutes(2));
    }

    private static LockerSettingsResolver resolver(@Nullable String application) {
        LockProperties.Defaults defaults = new LockProperties.Defaults(
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                true,
                Duration.ofHours(1),
                Duration.ZERO,
                null,
                64,
                null,
                Duration.ofMinutes(2));
        return new LockerSettingsResolver(defaults, application, true, false);
    }

    private static LockerProperties own(
            @Nullable String namespace, @Nullable Duration ttl, @Nullable Boolean autoRenew) {
        return new LockerProperties(
                namespace, null, null, null, null, ttl, autoRenew, null, null, null, null, null, null);
    }
}
