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
        LockerSettings settings = resolve(null, Map.of(DEFAULTS + "max-hold-time", "1h"));
        assertThat(settings.ttl()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.maxHoldTime()).isEqualTo(Duration.ofHours(1));
        assertThat(settings.namespace()).isEqualTo("deploy");
    }

    @Test
    void theNameOfTheApplicationPrecedesTheNamespace() {
        assertThat(resolve("shop", Map.of()).namespace()).isEqualTo("shop.deploy");
        assertThat(resolve("shop", Map.of(OWN + "namespace", "mine")).namespace())
                .isEqualTo("mine");
    }

    @Test
    void aNamespaceWithAColonIsRefusedWithItsProperty() {
        assertThatThrownBy(() -> resolve(null, Map.of(OWN + "namespace", "a:b")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("lock.lockers.deploy.namespace")
                .hasMessageContaining("'a:b'");
    }

    @Test
    void aContradictionIsReportedWithTheTwoPropertiesItComesFrom() {
        assertThatThrownBy(() -> resolve(null, Map.of(DEFAULTS + "max-hold-time", "1h", OWN + "ttl", "2h")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("lock.defaults.max-hold-time")
                .hasMessageContaining("lock.lockers.deploy.ttl");
    }

    @Test
    void aLockerThatAloneDoesNotRenewIsNotLimitedByTheDefaults() {
        assertThat(resolve(null, Map.of(DEFAULTS + "max-hold-time", "1h", OWN + "auto-renew", false))
                        .maxHoldTime())
                .isNull();
    }

    @Test
    void aThresholdWithoutAValueIsUnset() {
        assertThat(resolve(null, Map.of()).longHoldThreshold()).isNull();
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
        LockerSettings settings = resolve(null, properties);
        return Arrays.stream(LockerSettings.class.getRecordComponents())
                .filter(component -> name(component).equals(setting))
                .map(component -> ReflectionUtils.invokeMethod(component.getAccessor(), settings))
                .findFirst()
                .orElseThrow();
    }

    private static LockerSettings resolve(@Nullable String application, Map<String, Object> properties) {
        Binder binder = new Binder(new MapConfigurationPropertySource(properties));
        LockerProperties.Defaults defaults = binder.bindOrCreate("lock.defaults", LockerProperties.Defaults.class);
        return new LockerSettingsResolver(defaults, application, true, false)
                .resolve(DEPLOY, binder.bindOrCreate("lock.lockers.deploy", LockerProperties.class));
    }

    private static List<String> names(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(LockerSettingsResolverTests::name)
                .toList();
    }

    private static String name(RecordComponent component) {
        return DataObjectPropertyName.toDashedForm(component.getName());
    }
}
