package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The links of all pages lead to files and headings, and the tests that pages name exist. */
class PagesTests {

    private static final Path PROJECT = Path.of("..");

    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");

    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");

    private static final Pattern NAMED_TEST = Pattern.compile("`([A-Z]\\w+Tests)\\b");

    static Stream<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(PROJECT.resolve("docs"))) {
            return Stream.concat(
                    Stream.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "sample-app/README.md")
                            .map(PROJECT::resolve),
                    docs.filter(file -> file.toString().endsWith(".md")))
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void eachLinkLeadsToAFileAndAHeading(Path page) {
        assertThat(LINK.matcher(text(page)).results()).allSatisfy(link -> {
            Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
            assertThat(target).exists();
            if (link.group(2) != null) {
                assertThat(anchors(target)).contains(link.group(2));
            }
        });
    }

    @Test
    void eachNamedTestExists() throws IOException {
        Set<String> tests;
        try (Stream<Path> modules = Files.list(PROJECT)) {
            tests = modules.map(module -> module.resolve("src/test"))
                    .filter(Files::isDirectory)
                    .flatMap(PagesTests::testsIn)
                    .collect(Collectors.toSet());
        }
        assertThat(pages())
                .allSatisfy(page -> assertThat(
                                NAMED_TEST.matcher(text(page)).results().map(named -> named.group(1)))
                        .allMatch(tests::contains));
    }

    private static Stream<String> testsIn(Path sources) {
        try (Stream<Path> files = Files.walk(sources)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("\\w+Tests\\.(java|kt)"))
                    .map(name -> name.substring(0, name.indexOf('.')))
                    .toList()
                    .stream();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static Set<String> anchors(Path page) {
        return text(page)
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(PagesTests::anchor)
                .collect(Collectors.toSet());
    }

    private static String anchor(String heading) {
        return heading.replaceFirst("^#+ ", "")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\w -]", "")
                .replace(' ', '-');
    }

    /** The text of a page without its blocks of code. */
    private static String text(Path page) {
        try {
            return BLOCK.matcher(Files.readString(page)).replaceAll((MatchResult block) -> "");
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
