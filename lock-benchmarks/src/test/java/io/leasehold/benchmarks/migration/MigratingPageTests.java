package io.leasehold.benchmarks.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code of docs/migrating.md is that of tests. {@link Instance} loads its configuration. */
class MigratingPageTests {

    private static final Path SOURCES = Path.of("src", "test", "java", "io", "leasehold", "benchmarks", "migration");

    private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    @Test
    void thePageHasTheCodeOfTheTests() throws IOException {
        String sources = withoutIndentation(Files.readString(SOURCES.resolve("SharedKeysTests.java"))
                + Files.readString(SOURCES.resolve("BothLocksTests.java")));
        List<String> examples = JAVA.matcher(Files.readString(Instance.PAGE))
                .results()
                .map((MatchResult example) -> withoutIndentation(example.group(1)))
                .toList();
        assertThat(examples)
                .hasSize(3)
                .allSatisfy(example -> assertThat(sources).contains(example));
    }

    @Test
    void thePageHasNoConfigurationBesidesThatOfTheInstances() throws IOException {
        assertThat(Files.readString(Instance.PAGE)).containsOnlyOnce("```yaml");
    }

    private static String withoutIndentation(String code) {
        return code.replaceAll("(?m)^ +", "");
    }
}
