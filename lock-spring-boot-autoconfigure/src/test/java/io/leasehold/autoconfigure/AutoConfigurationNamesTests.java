package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/** A class that is only named is not checked by the compiler. */
class AutoConfigurationNamesTests {

    private static final String PACKAGE = "io.leasehold.autoconfigure.";

    @Test
    void thereIsAnAutoConfigurationForEachConcern() {
        assertThat(ownAutoConfigurations())
                .contains(
                        PACKAGE + "LockAutoConfiguration",
                        PACKAGE + "LockAspectAutoConfiguration",
                        PACKAGE + "LockMetricsAutoConfiguration",
                        PACKAGE + "LockObservationAutoConfiguration",
                        PACKAGE + "LockFlightRecorderAutoConfiguration",
                        PACKAGE + "LockHealthContributorAutoConfiguration",
                        PACKAGE + "LocksEndpointAutoConfiguration");
    }

    @ParameterizedTest
    @MethodSource("namedClasses")
    void theNamedClassExists(String name) {
        assertThatCode(() -> Class.forName(name)).doesNotThrowAnyException();
    }

    /** Their other conditions are classes of the actuator: without it, they must be left out before they are read. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "LocksEndpointAutoConfiguration",
                "LockHealthContributorAutoConfiguration",
                "LockMetricsAutoConfiguration",
                "LockObservationAutoConfiguration",
                "LockFlightRecorderAutoConfiguration"
            })
    void whatNeedsAnotherLibraryIsLeftOutEarlyWithoutIt(String name) throws IOException {
        Properties metadata = PropertiesLoaderUtils.loadAllProperties(
                "META-INF/spring-autoconfigure-metadata.properties", getClass().getClassLoader());
        assertThat(metadata).containsKey(PACKAGE + name + ".ConditionalOnClass");
    }

    static Stream<String> namedClasses() throws ClassNotFoundException {
        Stream.Builder<String> names = Stream.builder();
        for (String autoConfiguration : ownAutoConfigurations()) {
            names.add(autoConfiguration);
            AutoConfiguration annotation = Class.forName(autoConfiguration).getAnnotation(AutoConfiguration.class);
            Stream.of(annotation.afterName(), annotation.beforeName())
                    .flatMap(Stream::of)
                    .forEach(names);
        }
        return names.build();
    }

    private static List<String> ownAutoConfigurations() {
        return ImportCandidates.load(AutoConfiguration.class, AutoConfigurationNamesTests.class.getClassLoader())
                .getCandidates()
                .stream()
                .filter(name -> name.startsWith(PACKAGE))
                .toList();
    }
}
