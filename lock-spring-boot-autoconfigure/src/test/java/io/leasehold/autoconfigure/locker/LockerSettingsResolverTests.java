package io.leasehold.autoconfigure.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockerName;
import io.leasehold.autoconfigure.property.LockerProperties;
import io.leasehold.engine.LockerSettings;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.ReflectionUtils;

/** The settings of a locker are its own, and otherwise those of the defaults. */
class LockerSettingsResolverTests {

    private static final LockerName DEPLOY = LockerName.of(LockerName.PARENT.append("deploy"));

    private static final String OWN = "lock.lockers.deploy.";

    private static final String DEFAULTS = "lock.defaults.";

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

    @Test
    void aSettingHasAPlaceInTheDefaultsInALockersPropertiesAndInTheEngine() {
        assertThat(LockerProperties.NAMES)
                .filteredOn(name -> !List.of("namespace", "backend", "redis", "circuit-breaker")
                        .contains(name))
                .containsExactlyElementsOf(names(LockerProperties.Defaults.class));
        assertThat(names(LockerSettings.class))
                .filteredOn(name -> !List.of("name", "namespace", "report-holder", "force-release")
                        .contains(name))
                .containsExactlyElementsOf(names(LockerProperties.Defaults.class));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void everySettingIsTheLockersOwnOrThatOfTheDefaults(String setting) {
        Object own = samples(setting).get(0);
        Object byDefault = samples(setting).get(1);
        assertThat(resolved(setting, Map.of(DEFAULTS + setting, byDefault))).isEqualTo(byDefault);
        assertThat(resolved(setting, Map.of(DEFAULTS + setting, byDefault, OWN + setting, own)))
                .isEqualTo(own);
    }

    @ParameterizedTest
    @MethodSource("settingsWithRange")
    void anInvalidValueIsRefusedWithTheProperty(String setting) {
        Object invalid = samples(setting).get(2);
        for (String property : List.of(OWN + setting, DEFAULTS + setting)) {
            assertThatThrownBy(() -> resolved(setting, Map.of(property, invalid)))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageStartingWith("'" + property + "'");
        }
    }

    static Stream<String> settings() {
        return names(LockerProperties.Defaults.class).stream();
    }

    static Stream<String> settingsWithRange() {
        return settings().filter(setting -> samples(setting).size() > 2);
    }

    /** Two values that are valid beside the defaults of the other settings, then one that is out of range. */
    private static List<Object> samples(String setting) {
        return switch (setting) {
            case "auto-renew" -> List.of(true, false);
            case "max-local-handoffs" -> List.of(1, 2, -1);
            case "command-timeout" -> List.of(Duration.ofSeconds(3), Duration.ofSeconds(4), Duration.ofMillis(-1));
            default -> List.of(Duration.ofSeconds(40), Duration.ofSeconds(50), Duration.ofMillis(-1));
        };
    }

    private static Object resolved(String setting, Map<String, Object> properties) {
        Binder binder = new Binder(new MapConfigurationPropertySource(properties));
        LockerSettings settings = new LockerSettingsResolver(
                        binder.bindOrCreate("lock.defaults", LockerProperties.Defaults.class), null, true, false)
                .resolve(DEPLOY, binder.bindOrCreate("lock.lockers.deploy", LockerProperties.class));
        return Arrays.stream(LockerSettings.class.getRecordComponents())
                .filter(component -> name(component).equals(setting))
                .map(component -> ReflectionUtils.invokeMethod(component.getAccessor(), settings))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> names(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(LockerSettingsResolverTests::name)
                .toList();
    }

    private static String name(RecordComponent component) {
        return DataObjectPropertyName.toDashedForm(component.getName());
    }

    private static LockerSettingsResolver resolver(@Nullable String application) {
        LockerProperties.Defaults defaults = new LockerProperties.Defaults(
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
