package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.leasehold.aop.invocation.LockedInvocation;
import io.leasehold.autoconfigure.property.LockProperties;
import io.leasehold.autoconfigure.property.LockPropertyNames;
import io.leasehold.autoconfigure.property.LockerProperties;
import io.leasehold.metrics.LockMeters;
import io.leasehold.observation.DefaultLockAcquireObservationConvention;
import io.leasehold.observation.DefaultLockHoldObservationConvention;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/** What an editor knows of the properties. */
class ConfigurationMetadataTests {

    private static final DocumentContext METADATA = read();

    @ParameterizedTest
    @MethodSource("keys")
    void everyKeyIsDescribedInPlainText(String key) {
        assertThat(properties()).containsKey(key);
        assertThat((String) properties().get(key).get("description"))
                .isNotBlank()
                .endsWith(".")
                .doesNotContainPattern("[{}<>@`]");
    }

    @Test
    void theDocumentationHasTheseKeysAndNoOthers() {
        Stream<String> ofLockers = LockerProperties.NAMES.stream().map(name -> "lock.lockers.<name>." + name);
        Stream<String> common = properties().keySet().stream().filter(key -> !key.equals("lock.lockers"));
        assertThat(DocumentedProperties.ofTables())
                .as("the tables of docs/configuration.md")
                .containsExactlyInAnyOrderElementsOf(Stream.of(common, ofLockers, keysOfNodes())
                        .flatMap(each -> each)
                        .toList());
    }

    @Test
    void noPageNamesAPropertyThatDoesNotExist() {
        List<String> known = Stream.of(
                        properties().keySet().stream(),
                        LockerProperties.NAMES.stream().map(name -> "lock.lockers.<name>." + name),
                        keysOfNodes(),
                        Arrays.stream(LockMeters.values()).map(LockMeters::meterName),
                        Stream.of(
                                new DefaultLockAcquireObservationConvention().getName(),
                                new DefaultLockHoldObservationConvention().getName()))
                .flatMap(each -> each)
                .map(key -> key + ".")
                .toList();
        assertThat(DocumentedProperties.ofPages())
                .hasSizeGreaterThan(50)
                .filteredOn(named -> known.stream().noneMatch(key -> key.startsWith(named.key() + ".")))
                // the entries of this map are the findings
                .filteredOn(named -> !named.key().startsWith("lock.safety.levels."))
                // and the entries of this one are lockers
                .filteredOn(named -> !named.key().matches("lock\\.lockers\\.[a-z-]+"))
                // and this is the name of the fencing token in the logging context
                .filteredOn(named -> !LockedInvocation.FencingTokenMdc.NAME.startsWith(named.key()))
                .isEmpty();
    }

    /** The metadata of a list has its type only. */
    private static Stream<String> keysOfNodes() {
        String list = (String) properties().get("lock.redlock.nodes").get("type");
        Class<?> node = ClassUtils.resolveClassName(list.substring(list.indexOf('<') + 1, list.indexOf('>')), null);
        return keysOf("lock.redlock.nodes[n]", node);
    }

    static Stream<String> keys() {
        ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
        scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
        return scanner.findCandidateComponents("io.leasehold.autoconfigure").stream()
                .map(found -> ClassUtils.resolveClassName(Objects.requireNonNull(found.getBeanClassName()), null))
                .flatMap(ConfigurationMetadataTests::keysOf);
    }

    private static Stream<String> keysOf(Class<?> properties) {
        ConfigurationProperties annotation =
                Objects.requireNonNull(properties.getAnnotation(ConfigurationProperties.class));
        return keysOf(annotation.value() + annotation.prefix(), properties);
    }

    private static Stream<String> keysOf(String prefix, Class<?> properties) {
        return Arrays.stream(properties.getRecordComponents()).flatMap(component -> {
            String name = prefix + "."
                    + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            return component.getType().isRecord() ? keysOf(name, component.getType()) : Stream.of(name);
        });
    }

    @Test
    void thereIsNothingElse() {
        List<String> keys = keys().toList();
        assertThat(properties().keySet())
                .filteredOn(key -> !keys.contains(key))
                .containsExactlyInAnyOrder(
                        "lock.lockers",
                        "management.health.locks.enabled",
                        "management.endpoint.locks.access",
                        "management.endpoint.locks.cache.time-to-live");
    }

    @Test
    void allNamesAreKnown() {
        assertThat(LockPropertyNames.GROUPS).containsExactlyInAnyOrderElementsOf(groups());
        LockPropertyNames.OF_OPTIONAL_GROUPS.forEach((group, names) -> assertThat(names)
                .containsExactlyInAnyOrderElementsOf(properties().keySet().stream()
                        .filter(key -> key.startsWith("lock." + group + "."))
                        .map(key -> key.substring("lock.".length() + group.length() + 1))
                        .toList()));
    }

    /** The names behind {@code lock.} of all properties. */
    static List<String> groups() {
        return properties().keySet().stream()
                .filter(key -> key.startsWith("lock."))
                .map(key -> key.split("[.]")[1])
                .distinct()
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "lock.circuit-breaker.enabled, false",
        "lock.circuit-breaker.failure-rate-threshold, 50",
        "lock.circuit-breaker.sliding-window-size, 20",
        "lock.circuit-breaker.minimum-number-of-calls, 5",
        "lock.circuit-breaker.wait-duration-in-open-state, 5s",
        "lock.circuit-breaker.permitted-number-of-calls-in-half-open-state, 2",
        "lock.redis.port, 6379",
        "lock.redis.database, 0"
    })
    void aDefaultThatTheCodeFillsInIsKnown(String key, String value) {
        assertThat(properties().get(key).get("defaultValue")).hasToString(value);
    }

    @Test
    void findingsAndTheirLevelsAreOffered() {
        assertThat(list("hints"))
                .filteredOn(hint -> "lock.safety.levels.keys".equals(hint.get("name")))
                .singleElement()
                .extracting(hint -> hint.get("values"), InstanceOfAssertFactories.list(Map.class))
                .extracting(value -> value.get("value"))
                .isEqualTo(LockProperties.Safety.SUBJECTS);
        assertThat(list("hints"))
                .filteredOn(hint -> "lock.safety.levels.values".equals(hint.get("name")))
                .singleElement()
                .asString()
                .contains("off", "warn", "fail");
    }

    @Test
    void lockersAndBackendsHaveHints() {
        assertThat(list("hints"))
                .extracting(hint -> hint.get("name"))
                .contains("lock.backend", "lock.lockers.keys", "lock.redis.connection-factory");
        assertThat(list("hints").toString()).contains("redis", "jdbc", "etcd", "memory");
    }

    @Test
    void namesAreCanonical() {
        assertThat(properties().keySet()).allMatch(ConfigurationPropertyName::isValid);
    }

    private static Map<String, Map<String, Object>> properties() {
        Map<String, Map<String, Object>> byName = new LinkedHashMap<>();
        list("properties").forEach(property -> byName.put((String) property.get("name"), property));
        return byName;
    }

    private static List<Map<String, Object>> list(String section) {
        return METADATA.read("$." + section);
    }

    private static DocumentContext read() {
        try (InputStream in = Objects.requireNonNull(
                LockProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            return JsonPath.parse(in);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
