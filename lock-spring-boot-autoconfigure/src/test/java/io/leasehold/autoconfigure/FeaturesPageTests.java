package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each feature of the page has a description and a test. {@link PagesTests} finds both. */
class FeaturesPageTests {

    private static final Path PAGE = Path.of("..", "docs", "features.md");

    private static final Pattern ROW =
            Pattern.compile("\\| (.+?) \\| \\[\\w+]\\([^)]+\\) \\| `\\w+Tests` \\|.*\\|.*\\|.*\\|.*\\|");

    @Test
    void eachRowHasALinkAndATest() throws IOException {
        assertThat(Files.readAllLines(PAGE))
                .filteredOn(line -> line.startsWith("|"))
                .hasSizeGreaterThan(27)
                // the title and the line below it
                .satisfies(lines -> assertThat(lines.subList(2, lines.size())).allMatch(ROW.asMatchPredicate()));
    }
}
