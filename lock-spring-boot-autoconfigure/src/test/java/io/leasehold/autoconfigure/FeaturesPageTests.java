package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each feature of the page has a test and a description. */
class FeaturesPageTests {

    private static final Path PROJECT = Path.of("..");

    private static final Path DOCS = PROJECT.resolve("docs");

    private static final Pattern ROW =
            Pattern.compile("\\| (.+?) \\| \\[\\w+]\\(([^)#]+)(?:#([^)]+))?\\) \\| `(\\w+)` \\|.*\\|.*\\|.*\\|.*\\|");

    @Test
    void eachNamedTestExists() throws IOException {
        try (Stream<Path> modules = Files.list(PROJECT)) {
            Set<String> tests = modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .flatMap(FeaturesPageTests::testsIn)
                    .collect(Collectors.toSet());
            assertThat(rows())
                    .hasSizeGreaterThan(25)
                    .allSatisfy(row -> assertThat(tests).as(row.group(1)).contains(row.group(4)));
        }
    }

    @Test
    void eachRowIsRead() throws IOException {
        try (Stream<String> lines = Files.lines(DOCS.resolve("features.md"))) {
            assertThat(rows())
                    .hasSize((int) lines.filter(line -> line.startsWith("|")).count() - 2);
        }
    }

    @Test
    void eachFeatureIsDescribed() throws IOException {
        for (Matcher row : rows()) {
            Path page = DOCS.resolve(row.group(2));
            assertThat(page).exists();
            if (row.group(3) != null) {
                assertThat(Files.readAllLines(page))
                        .as(row.group(1))
                        .filteredOn(line -> line.startsWith("#"))
                        .map(FeaturesPageTests::anchor)
                        .contains(row.group(3));
            }
        }
    }

    private static String anchor(String heading) {
        return heading.replaceFirst("^#+ ", "")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\w -]", "")
                .replace(' ', '-');
    }

    private static List<Matcher> rows() throws IOException {
        return Files.readAllLines(DOCS.resolve("features.md")).stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .toList();
    }

    private static Stream<String> testsIn(Path sources) {
        try (Stream<Path> files = Files.walk(sources)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Tests.java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .toList()
                    .stream();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
