package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.LockBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/** An application starts with each configuration of the pages, apart from those that have tests of their own. */
class DocumentedConfigurationTests {

    private static final Path ROOT = Path.of("..");

    private static final Pattern YAML = Pattern.compile("```yaml\\R(lock.*?)```", Pattern.DOTALL);

    static Stream<String> configurations() {
        return Stream.of("README.md", "docs/configuration.md", "docs/backends.md")
                .flatMap(DocumentedConfigurationTests::configurations);
    }

    @Test
    void eachPageHasConfigurations() {
        assertThat(configurations()).hasSizeGreaterThanOrEqualTo(6);
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void anApplicationStartsWithIt(String yaml) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withBean(
                        "store",
                        LockBackend.class,
                        () -> new MemoryLockBackend(System::nanoTime, InstantSource.system()))
                .withBean("lockDataSource", DataSource.class, JdbcDataSource::new)
                .withInitializer(
                        context -> context.getEnvironment().getPropertySources().addLast(properties(yaml)))
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static Stream<String> configurations(String page) {
        try {
            return YAML.matcher(Files.readString(ROOT.resolve(page))).results().map(block -> block.group(1));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static PropertySource<?> properties(String yaml) {
        try {
            return new YamlPropertySourceLoader()
                    .load("page", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
                    .get(0);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
