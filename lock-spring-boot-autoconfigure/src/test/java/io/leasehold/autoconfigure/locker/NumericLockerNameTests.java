package io.leasehold.autoconfigure.locker;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ByteArrayResource;

/** A locker whose name is a number, in the files that Spring Boot reads. */
class NumericLockerNameTests {

    private static final PropertySourceLoader YAML = new YamlPropertySourceLoader();

    private static final PropertySourceLoader PROPERTIES = new PropertiesPropertySourceLoader();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory");

    @Test
    void aNumberWithoutQuotesIsRefusedWithTheFormThatWorks() {
        FailureAnalysis analysis = StartFailures.of(with(YAML, "lock: {lockers: {2024: {ttl: 31s}}}"));
        assertThat(analysis.getDescription())
                .startsWith("'lock.lockers[2024].ttl' has a number as the name of a locker")
                .contains("It is set in Byte array resource");
        assertThat(analysis.getAction()).contains("'\"2024\":'", "'lock.lockers.2024.ttl'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lock: {lockers: {\"2024\": {ttl: 31s}}}",
                "lock: {lockers: {'2024': {ttl: 31s}}}",
                "lock.lockers.2024.ttl: 31s"
            })
    void aNumberInQuotesIsTheNameOfALocker(String yaml) {
        assertLocker(with(YAML, yaml));
    }

    @Test
    void aNumberInAPropertiesFileIsTheNameOfALocker() {
        assertLocker(with(PROPERTIES, "lock.lockers.2024.ttl=31s"));
    }

    @Test
    void aListIsCalledAList() {
        FailureAnalysis analysis =
                StartFailures.of(with(YAML, "lock: {lockers: [{name: deploy, ttl: 31s}, {name: billing, ttl: 31s}]}"));
        assertThat(analysis.getDescription()).contains("is an element of a list");
    }

    @Test
    void aListOfNamesIsCalledAList() {
        FailureAnalysis analysis = StartFailures.of(with(YAML, "lock: {lockers: [deploy, billing]}"));
        assertThat(analysis.getDescription()).contains("is an element of a list");
    }

    private static void assertLocker(ApplicationContextRunner configured) {
        configured.run(context -> {
            assertThat(context.getBean(LockerRegistry.class).names()).contains("2024");
            assertThat(context.getBean(LockerConfigurations.class)
                            .get("2024")
                            .settings()
                            .ttl())
                    .isEqualTo(Duration.ofSeconds(31));
        });
    }

    private ApplicationContextRunner with(PropertySourceLoader loader, String text) {
        return runner.withInitializer(context -> {
            try {
                loader.load("file", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)))
                        .forEach(context.getEnvironment().getPropertySources()::addLast);
            } catch (IOException ex) {
                throw new UncheckedIOException(ex);
            }
        });
    }
}
